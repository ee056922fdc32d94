import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const SHOWN_PATHS = 5;
const MAX_GIT_BYTES = 64 * 1024 * 1024;

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export interface Commit {
  readonly id: string;
  /** The second of the commit, in UTC. */
  readonly time: string;
}

const git = (root: string, ...args: string[]): string =>
  execFileSync("git", args, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: MAX_GIT_BYTES,
    stdio: ["ignore", "pipe", "pipe"],
  });

/** Throws when a file of the tree is not as it was committed. Returns the commit. */
export function requireCleanTree(root: string): Commit {
  const changed = git(root, "status", "--porcelain").split("\n").filter(Boolean);
  if (changed.length > 0) {
    const more = changed.length > SHOWN_PATHS ? ", …" : "";
    const shown = changed.slice(0, SHOWN_PATHS).map((line) => line.slice(3));
    throw new Error(`the tree has changes that are not committed: ${shown.join(", ")}${more}`);
  }
  const [id = "", seconds = ""] = git(root, "log", "-1", "--format=%H %ct").trim().split(" ");
  return { id, time: new Date(Number(seconds) * 1000).toISOString().replace(".000Z", "Z") };
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, "utf8"));

/** Throws unless all packages, what they need of each other, and the lock file name one version. Returns the version. */
export function requireOneVersion(root: string): string {
  const folders = readdirSync(join(root, "packages")).toSorted();
  const manifests = folders.map((folder) => readJson(join(root, "packages", folder, "package.json")) as Manifest);
  const lock = readJson(join(root, "package-lock.json")) as { packages: Record<string, Manifest | undefined> };
  const names = new Set(manifests.map(({ name }) => name));
  const said = manifests.flatMap(({ name, version, dependencies, devDependencies }, index) => [
    [`${name} is`, version],
    [`the lock file has ${name}`, lock.packages[`packages/${folders[index]}`]?.version ?? "without a version"],
    ...Object.entries({ ...devDependencies, ...dependencies })
      .filter(([needed]) => names.has(needed))
      .map(([needed, wanted]) => [`${name} needs ${needed}`, wanted]),
  ]);
  const versions = [...new Set(said.map(([, version]) => version))];
  const [version = "none"] = versions;
  if (versions.length === 1 && /^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)) return version;
  throw new Error(`the packages need one version, but ${said.map((words) => words.join(" ")).join(", ")}`);
}
