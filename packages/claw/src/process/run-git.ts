import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, sep } from "node:path";
import { findProgram } from "./find-program.ts";
import { gitVariables, HARMLESS_GIT, NAMED_PROGRAMS, withoutPrograms } from "./git-settings.ts";
import type { CommandRequest, CommandResult } from "./run-command.ts";
import { runCommand } from "./run-command.ts";

export interface GitRequest extends Omit<CommandRequest, "argv"> {
  readonly args: readonly [command: string, ...string[]];
  /** Further working trees, besides `cwd`, that the git command reads. */
  readonly trees?: readonly string[];
  /** Additional git settings for this call. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Wraps the argv to run git in a sandbox, where git may read files from any source. `env` is then the whole
   * environment, and the settings of `cwd` are not examined.
   */
  readonly inside?: (argv: readonly [string, ...string[]]) => readonly [string, ...string[]];
}

/** Variables by which a parent git process tells its children where to look. */
const ELSEWHERE = ["DIR", "WORK_TREE", "INDEX_FILE", "OBJECT_DIRECTORY", "ALTERNATE_OBJECT_DIRECTORIES", "COMMON_DIR"];

const unset = (): NodeJS.ProcessEnv =>
  Object.fromEntries([...ELSEWHERE, "NAMESPACE", "PREFIX"].map((name) => [`GIT_${name}`, undefined]));

/** Git commands that read no file of the tree and start no hook, so the settings can name no program for them. */
const READS_OBJECTS = new Set(["rev-parse", "show-ref", "ls-files", "merge-base", "rev-list", "log", "version"]);

/** Options that keep git from starting external diff and text conversion programs, and from looking into submodules. */
const CAREFUL: Readonly<Record<string, readonly string[]>> = {
  diff: ["--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"],
  log: ["--no-ext-diff", "--no-textconv"],
  status: ["--ignore-submodules=dirty"],
};

/** A listing larger than this is not normal for a repository; claw then refuses to run git. */
const MAX_SETTINGS_BYTES = 256 * 1024;

function realFolder(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    // A folder that does not exist holds no program.
    return null;
  }
}

/** The user's installed git. A program named git inside the folder itself is ignored. */
function findGit(cwd: string): string | null {
  const root = realFolder(cwd) ?? cwd;
  const isForeign = (folder: string): boolean => {
    const real = isAbsolute(folder) ? realFolder(folder) : null;
    return real !== null && real !== root && !real.startsWith(root + sep);
  };
  const path = process.env["PATH"]?.split(delimiter).filter(isForeign).join(delimiter);
  const found = findProgram("git", { path, cwd: "/" });
  return found.kind === "found" ? found.path : null;
}

/** Settings that disable the programs named by the folders of a request; or git's result when the listing failed. */
async function findOverrides(
  git: string,
  { trees = [], ...request }: Omit<GitRequest, "args">,
  signal: AbortSignal,
): Promise<{ readonly kind: "known"; readonly settings: Record<string, string> } | CommandResult> {
  const argv = [git, "config", "-z", "--show-scope", "--get-regexp", NAMED_PROGRAMS] as const;
  const env = { ...unset(), ...request.env, ...gitVariables(HARMLESS_GIT) };
  const limits = { timeoutMs: request.timeoutMs, maxOutputBytes: MAX_SETTINGS_BYTES };
  const found: Record<string, string> = {};
  for (const cwd of [request.cwd, ...trees]) {
    const listed = await runCommand({ argv, cwd, env, ...limits }, signal);
    // Exit 1 means no such settings. When git cannot list them, no program counts as harmless.
    if (listed.kind !== "exited" || listed.code > 1) return listed;
    if (Buffer.byteLength(listed.stdout) >= MAX_SETTINGS_BYTES) return { kind: "not-started" };
    Object.assign(found, withoutPrograms(listed.stdout));
  }
  return { kind: "known", settings: found };
}

/**
 * Asks git about a folder and never rejects. No program is started that the folder or its settings name: their source
 * is not trusted. Programs named by the user's own settings are started.
 */
export async function runGit(
  { args, settings, inside, ...rest }: GitRequest,
  signal: AbortSignal,
): Promise<CommandResult> {
  const git = findGit(rest.cwd);
  if (git === null) return { kind: "not-started" };
  const [command, ...words] = args;
  const argv = [git, command, ...(CAREFUL[command] ?? []), ...words] as const;
  if (inside !== undefined) {
    const env = { ...rest.env, ...gitVariables({ ...HARMLESS_GIT, ...settings }) };
    return runCommand({ ...rest, argv: inside(argv), env, isolated: true }, signal);
  }
  const isPlain = READS_OBJECTS.has(command);
  const found = isPlain ? { kind: "known" as const, settings: {} } : await findOverrides(git, rest, signal);
  if (found.kind !== "known") return found;
  const env = { ...unset(), ...rest.env, ...gitVariables({ ...HARMLESS_GIT, ...found.settings, ...settings }) };
  return runCommand({ ...rest, argv, env }, signal);
}
