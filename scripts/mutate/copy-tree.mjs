import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, relative } from "node:path";

const BINARIES = ".bin";

const LEFT_OUT = new Set(["node_modules", "dist", ".git", ".claw", ".claws"]);

/** Links every installed package but the workspace's own, which have to lead into the copy. */
function linkModules(root, copy) {
  mkdirSync(join(copy, "node_modules"));
  const own = new Map(
    readdirSync(join(root, "packages")).map((folder) => [nameOf(join(root, "packages", folder)), folder]),
  );
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (own.has(name) || name === BINARIES || name.startsWith(".vite")) continue;
    symlinkSync(join(root, "node_modules", name), join(copy, "node_modules", name));
  }
  for (const [name, folder] of own) symlinkSync(join(copy, "packages", folder), join(copy, "node_modules", name));
}

/** Links the programs of packages; those of the workspace's own lead into the copy. */
function linkBinaries(root, copy) {
  const own = join(realpathSync(root), "packages");
  mkdirSync(join(copy, "node_modules", BINARIES));
  for (const name of readdirSync(join(root, "node_modules", BINARIES))) {
    const target = realpathSync(join(root, "node_modules", BINARIES, name));
    const below = relative(own, target);
    const place = below.startsWith("..") ? target : join(copy, "packages", below);
    symlinkSync(place, join(copy, "node_modules", BINARIES, name));
  }
}

const nameOf = (packageFolder) => JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8")).name;

/** Copies the tree into a new temporary folder, with the packages and the build of the original. */
export function copyTree(root) {
  // A short name: sockets below it have to fit into the system's 108 bytes.
  const folder = mkdtempSync(join(tmpdir(), "cm-"));
  const copy = join(folder, "tree");
  cpSync(root, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
  linkModules(root, copy);
  linkBinaries(root, copy);
  const dist = join(root, "packages/claw/dist");
  if (existsSync(dist)) symlinkSync(dist, join(copy, "packages/claw/dist"));
  for (const name of ["tmp", "home"]) mkdirSync(join(folder, name));
  return { folder, copy };
}
