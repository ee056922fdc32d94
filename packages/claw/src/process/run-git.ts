import { realpathSync } from "node:fs";
import { delimiter, isAbsolute, sep } from "node:path";
import { findProgram } from "./find-program.ts";
import type { CommandRequest, CommandResult } from "./run-command.ts";
import { runCommand } from "./run-command.ts";

export interface GitRequest extends Omit<CommandRequest, "argv" | "env"> {
  readonly args: readonly [command: string, ...string[]];
}

/** Settings that hold over those of a repository, which may name programs. */
const HARMLESS: Readonly<Record<string, string>> = {
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "diff.submodule": "short",
  "log.showSignature": "false",
  "safe.bareRepository": "explicit",
  "status.submoduleSummary": "false",
};

/** Commands that read files of the tree, by way of filters, and look into repositories below it. */
const READS_FILES = new Set(["status", "diff"]);

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

function variablesFor(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const entries = Object.entries(settings).flatMap(([name, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, name],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return {
    ...(Object.fromEntries(entries) as NodeJS.ProcessEnv),
    GIT_CONFIG_COUNT: String(Object.keys(settings).length),
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
    GIT_OPTIONAL_LOCKS: "0",
  };
}

/** Settings that empty the filters of a repository. Those of the user's own settings are the user's programs. */
async function withoutFilters(request: CommandRequest, signal: AbortSignal): Promise<Record<string, string>> {
  const [git] = request.argv;
  const argv = [git, "config", "-z", "--show-scope", "--name-only", "--get-regexp", String.raw`^filter\.`] as const;
  const listed = await runCommand({ ...request, argv }, signal);
  if (listed.kind !== "exited") return {};
  const parts = listed.stdout.split("\0");
  const own = parts.filter((_, index) => index % 2 === 1 && /^(?:local|worktree)$/.test(parts[index - 1] ?? ""));
  return Object.fromEntries(own.map((key) => [key, key.endsWith(".required") ? "false" : ""]));
}

/**
 * Asks git about a folder and never rejects. Nothing is started that the folder or its settings name: they may have
 * come from anybody.
 */
export async function runGit({ args, ...rest }: GitRequest, signal: AbortSignal): Promise<CommandResult> {
  const git = findGit(rest.cwd);
  if (git === null) return { kind: "not-started" };
  const [command, ...words] = args;
  const base = { ...rest, argv: [git] as const, env: variablesFor(HARMLESS) };
  if (!READS_FILES.has(command)) return runCommand({ ...base, argv: [git, ...args] }, signal);
  const env = variablesFor({ ...HARMLESS, ...(await withoutFilters(base, signal)) });
  return runCommand({ ...base, argv: [git, command, "--ignore-submodules=dirty", ...words], env }, signal);
}
