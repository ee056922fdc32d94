import { existsSync, lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import { isInside } from "../permissions/workspace.ts";

/** Files of the system that are looked at for those only its administrator may read. */
const SANDBOX_HIDDEN_SCAN = 20_000;

/** Folders of the system that programs need. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/etc", "/opt", "/nix"];

const KERNEL = ["--dev", "/dev", "--proc", "/proc"];
/** Folders that are empty when a command starts, and gone when the command has ended. */
const PRIVATE = ["/tmp", "/run", "/var/tmp"];

/**
 * Installations below a home folder: for a folder of `PATH`, the folders that its programs need. None holds secrets.
 */
const INSTALLATIONS: readonly (readonly [folder: RegExp, needed: readonly string[]])[] = [
  [/^\.pyenv\//, [".pyenv"]],
  [/^\.rbenv\//, [".rbenv"]],
  [/^\.nodenv\//, [".nodenv"]],
  [/^\.asdf\//, [".asdf"]],
  [/^\.volta\//, [".volta/bin", ".volta/tools"]],
  [/^\.bun\//, [".bun/bin"]],
  [/^\.deno\//, [".deno/bin"]],
  [/^\.cargo\/bin$/, [".cargo/bin", ".cargo/registry", ".rustup"]],
  [/^\.sdkman\//, [".sdkman/candidates"]],
  [/^go\/bin$/, ["go/bin", "go/pkg/mod"]],
  [/^\.local\/share\/mise\//, [".local/share/mise/installs", ".local/share/mise/shims"]],
];

function real(path: string): string | null {
  return existsSync(path) ? realpathSync(path) : null;
}

function systemFolders(): string[] {
  return SYSTEM.flatMap((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (stats?.isSymbolicLink()) return ["--symlink", readlinkSync(path), path];
    return stats?.isDirectory() ? ["--ro-bind", path, path] : [];
  });
}

/** The prefix that a program is installed in, as in `prefix/bin/node`; null without `prefix/lib/node_modules`. */
function prefixOf(program: string): string | null {
  const prefix = dirname(dirname(program));
  return existsSync(join(prefix, "lib", "node_modules")) ? prefix : null;
}

function neededBy(folder: string, home: string): string[] {
  const inner = isInside(folder, home) ? folder.slice(home.length + 1) : "";
  const found = INSTALLATIONS.find(([shape]) => shape.test(`${inner}/`) || shape.test(inner));
  return found === undefined ? [folder] : found[1].map((path) => join(home, path));
}

/** Folders, outside of the system's, in which the programs of `PATH` and the running program are installed. */
export function toolFolders(path: string, home: string): string[] {
  const folders = path.split(":").filter(isAbsolute);
  const needed = [...folders.flatMap((folder) => neededBy(folder, home)), prefixOf(process.execPath)];
  const places = needed.flatMap((folder) => (folder === null ? null : real(folder)) ?? []);
  const isHidden = (place: string): boolean => !SYSTEM.some((root) => isInside(place, root));
  // The home folder and the folders above are no installations.
  return [...new Set(places)].filter((place) => isHidden(place) && !isInside(home, place));
}

/**
 * Flags that hide the files below /etc which only the administrator may read. The administrator's own commands must not
 * see these files either.
 */
function administratorsFiles(folder: string, budget: { left: number }): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    budget.left -= 1;
    const path = join(folder, entry.name);
    if (budget.left < 0 || entry.isSymbolicLink()) return [];
    const mode = lstatSync(path, { throwIfNoEntry: false })?.mode ?? 0;
    if (entry.isDirectory()) {
      return (mode & 0o005) === 0o005 ? administratorsFiles(path, budget) : ["--tmpfs", path];
    }
    return entry.isFile() && (mode & 0o004) === 0 ? ["--ro-bind", "/dev/null", path] : [];
  });
}

export interface SystemView {
  readonly flags: readonly string[];
  /** The folders that are shown. */
  readonly shown: readonly string[];
}

/**
 * The flags that show the system: the files that all users may read, and the programs of `PATH`. Any other file is
 * absent. `home` is free of links.
 */
export function systemView(path: string, home: string): SystemView {
  const isRoot = process.getuid?.() === 0;
  const tools = toolFolders(path, home);
  const flags = [
    ...systemFolders(),
    ...(isRoot ? administratorsFiles("/etc", { left: SANDBOX_HIDDEN_SCAN }) : []),
    ...KERNEL,
    ...PRIVATE.concat(home).flatMap((folder) => ["--tmpfs", folder]),
    ...tools.flatMap((folder) => ["--ro-bind", folder, folder]),
  ];
  return { flags, shown: [...SYSTEM, ...tools] };
}
