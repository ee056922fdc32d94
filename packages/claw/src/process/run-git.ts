import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, sep } from "node:path";
import { findProgram } from "./find-program.ts";
import { gitVariables, HARMLESS_GIT, NAMED_PROGRAMS, withoutPrograms } from "./git-settings.ts";
import type { CommandRequest, CommandResult } from "./run-command.ts";
import { runCommand } from "./run-command.ts";

export interface GitRequest extends Omit<CommandRequest, "argv"> {
  readonly args: readonly [command: string, ...string[]];
  /** Working trees besides that of `cwd` into which the command looks. */
  readonly trees?: readonly string[];
  /** Settings that hold besides. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Makes of the argv one that runs it in a sandbox, where it may read what anybody wrote. Then `env` is all of its
   * environment, and no setting of `cwd` counts.
   */
  readonly inside?: (argv: readonly [string, ...string[]]) => readonly [string, ...string[]];
}

/** Variables by which a git that started this process tells its children where to look. */
const ELSEWHERE = ["DIR", "WORK_TREE", "INDEX_FILE", "OBJECT_DIRECTORY", "ALTERNATE_OBJECT_DIRECTORIES", "COMMON_DIR"];

const unset = (): NodeJS.ProcessEnv =>
  Object.fromEntries([...ELSEWHERE, "NAMESPACE", "PREFIX"].map((name) => [`GIT_${name}`, undefined]));

/** Commands that read no file of the tree and start no hook, so that no program can be named for them. */
const READS_OBJECTS = new Set(["rev-parse", "show-ref", "ls-files", "merge-base", "rev-list", "log", "version"]);

/** Words that keep a command from starting what compares or shows files, and from asking in repositories below. */
const CAREFUL: Readonly<Record<string, readonly string[]>> = {
  diff: ["--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty"],
  log: ["--no-ext-diff", "--no-textconv"],
  status: ["--ignore-submodules=dirty"],
};

/** More settings than this are no repository's own, and are not overridden one by one. */
const MAX_SETTINGS_BYTES = 256 * 1024;

function realFolder(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    // Nothing can be found in a folder that is not there.
    return null;
  }
}

/** Git as the user has it installed; not a program of that name which came with the folder. */
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

/** Settings that take the programs out of force which the folders of a request name; or the end that git came to. */
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
    // Exit 1 says that there are none. Where git cannot tell, nothing is known to be harmless.
    if (listed.kind !== "exited" || listed.code > 1) return listed;
    if (Buffer.byteLength(listed.stdout) >= MAX_SETTINGS_BYTES) return { kind: "not-started" };
    Object.assign(found, withoutPrograms(listed.stdout));
  }
  return { kind: "known", settings: found };
}

/**
 * Asks git about a folder and never rejects. Nothing is started that the folder or its settings name: they may have
 * come from anybody. Programs that the user's own settings name are started.
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
