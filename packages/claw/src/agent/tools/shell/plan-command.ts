import { splitCommand } from "../../permissions/shell/split-command.ts";
import { vetLine } from "../../permissions/shell/vet-line.ts";
import { findProgram, systemShell } from "../../../process/index.ts";
import { commandEnvironment } from "../../sandbox/command-environment.ts";
import type { Aftermath, Sandbox } from "../../sandbox/sandbox.ts";
import { busVariables } from "../../sandbox/worker-bus.ts";
import type { ToolDeps } from "../tool-deps.ts";

/** How a command is going to run. */
export interface CommandPlan {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly manner: "listed" | "confined" | "free";
  /** The kind of sandbox that the command runs in. */
  readonly sandbox: Sandbox["kind"] | "none";
  /** Call this when the command has ended; a second call does no harm. Failures of git do not reject. */
  readonly settle: () => Promise<void>;
  /** The findings of the sandbox in the workspace after the command; empty before `settle`. */
  readonly aftermath: () => Aftermath;
}

const SYSTEM_PATH = "/usr/local/bin:/usr/bin:/bin";

/**
 * The shell reads no start files. `commandEnvironment` has removed the variables that could make the shell run a
 * program.
 */
function shellArgv(command: string, path: string | undefined): readonly [string, ...string[]] {
  for (const places of [SYSTEM_PATH, path]) {
    const bash = findProgram("bash", { path: places, cwd: "/" });
    if (bash.kind === "found") return [bash.path, "--noprofile", "--norc", "-c", command];
  }
  return systemShell.run(command);
}

function mannerOf(command: string, isUnconfined: boolean, deps: ToolDeps): CommandPlan["manner"] {
  if (isUnconfined || deps.mode === "danger-full-access") return "free";
  if (deps.sandbox() !== null) return "confined";
  const line = splitCommand(command);
  const { workspace } = deps;
  const context = { workspace, cwd: workspace.root, isWritable: deps.mode !== "read-only" };
  return line.kind === "simple" && vetLine(line.segments, context) === null ? "listed" : "free";
}

const NOTHING_FOUND: Aftermath = { removed: [], notes: [] };

const keptBy = ({ kept }: ToolDeps) => (kept === undefined ? {} : { kept: kept() });

const busOf = ({ bus }: ToolDeps) => (bus === undefined ? {} : { bus });

/** Decides how a command runs: in the sandbox where there is one, unless the mode or the call says otherwise. */
export async function planCommand(command: string, isUnconfined: boolean, deps: ToolDeps): Promise<CommandPlan> {
  const { root } = deps.workspace;
  const manner = mannerOf(command, isUnconfined, deps);
  const { environment, workspace, bus } = deps;
  const sandbox = manner === "confined" ? deps.sandbox() : null;
  const reached =
    bus === undefined || manner === "listed" ? {} : busVariables(bus, sandbox?.busSocket(bus) ?? bus.socket);
  const env = { ...commandEnvironment({ env: environment, workspace, manner }), ...reached };
  const shell = shellArgv(command, env["PATH"]);
  const git = sandbox === null ? null : ((await deps.git?.prepare()) ?? null);
  const shown = { ...keptBy(deps), ...busOf(deps), ...(git === null ? {} : { git }) };
  const watch = sandbox?.guard({ cwd: root, writable: deps.mode !== "read-only", ...shown });
  let aftermath: Aftermath | undefined;
  const settle = async (): Promise<void> => {
    if (watch === undefined || aftermath !== undefined) return;
    aftermath = watch.settle();
    const said = git === null ? [] : ((await deps.git?.take()) ?? []);
    aftermath = { ...aftermath, notes: [...aftermath.notes, ...said] };
  };
  return {
    argv: watch === undefined ? shell : (sandbox?.wrap(shell, watch.confinement) ?? shell),
    cwd: root,
    env,
    manner,
    sandbox: sandbox?.kind ?? "none",
    settle,
    aftermath: () => aftermath ?? NOTHING_FOUND,
  };
}
