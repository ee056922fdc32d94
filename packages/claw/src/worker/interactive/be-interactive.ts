import type { Command } from "@claw/client";
import { ClawError, LIMITS } from "@claw/contract";
import { endTree, identify, joinSignals, readStat, signalTree } from "../../process/index.ts";
import type { AgentControl } from "../agent-control.ts";
import { createAgentControl } from "../agent-control.ts";
import type { BusyWorker, Stop } from "../be-worker.ts";
import { bootAs } from "../boot-as.ts";
import type { Farewell } from "../farewell.ts";
import { createFarewell } from "../farewell.ts";
import { obeyCommands } from "../obey-commands.ts";
import { walkTo } from "../phase-walk.ts";
import type { SpendingVoice } from "../spending/spending-voice.ts";
import { createSpendingVoice } from "../spending/spending-voice.ts";
import { firstPrompt } from "../run-mission.ts";
import type { Shift } from "../shift.ts";
import { tell } from "../shift.ts";
import type { AgentTerminal, TerminalEnd } from "./agent-terminal.ts";
import { isTerminal, openAgentTerminal, whenClosed } from "./agent-terminal.ts";
import type { SessionConclusion } from "./conclude-session.ts";
import { concludeSession } from "./conclude-session.ts";
import { followScreen } from "./follow-screen.ts";
import { openHookDoor } from "./hook-door.ts";
import type { SessionReporter } from "./session-reporter.ts";
import { createSessionReporter } from "./session-reporter.ts";

interface Watch {
  readonly shift: Shift;
  readonly control: AgentControl;
  readonly reporter: SessionReporter;
  readonly spending: SpendingVoice;
  readonly farewell: Farewell;
  readonly stop: (reason: Stop) => void;
  readonly signal: AbortSignal;
}

const TOLD_EXIT = 143;
/** How long to wait for the bus to report a closed terminal. After this time the worker assumes that it is closed. */
const CLOSED_MS = 10_000;

/** Publishes the boot, and the state of the agent in the terminal. */
function announce({ shift, reporter }: Watch, { id, fresh }: AgentTerminal): void {
  const { worker, job, log } = shift;
  bootAs(shift, { terminal_id: id });
  const refused = (error: unknown): void => log(`a phase was refused: ${String(error)}`);
  walkTo(worker, "SPAWN", `the agent runs in terminal ${id}`, refused);
  if (job.attempt === 1) return;
  if (fresh) tell(shift, "signal", worker.signal("restarted", { detail: job.reason ?? "" }));
  else {
    tell(shift, "event", worker.event("LOG", `started anew; the agent in terminal ${id} went on meanwhile`));
    reporter.recall();
  }
}

/** Carries out commands except texts. The daemon pastes texts into the agent's terminal. */
function obey({ shift, control, stop }: Watch): void {
  const abort = (command: Command): void => {
    const evidence = { kind: "sequence", value: command.sequence } as const;
    tell(shift, "step", shift.worker.step(command, { step: "acked", evidence }));
    stop({ kind: "aborted", command });
  };
  const options = { shift, control, abort, takeText: () => null, offer: () => undefined };
  obeyCommands(options).catch((error: unknown) => shift.log(`no more commands: ${String(error)}`));
}

/** Keeps an agent paused that was already paused before this life. */
async function followPause({ shift, control }: Watch, { pid }: AgentTerminal): Promise<void> {
  control.began({ leader: identify(pid), mark: null });
  if (!["T", "t"].includes(readStat(pid)?.state ?? "")) return;
  await control.pause();
  tell(shift, "signal", shift.worker.signal("paused", { source: "process" }));
}

/** Closes the agent's terminal. When the bus refuses or is gone, ends the agent's processes directly. */
async function closeTerminal({ shift }: Watch, terminal: AgentTerminal): Promise<TerminalEnd> {
  const { worker, log } = shift;
  const over = joinSignals({ timeoutMs: CLOSED_MS });
  try {
    await worker.request("worker.terminal.close");
  } catch (error) {
    log(`the terminal was not closed: ${String(error)}`);
    // The terminal host notices the end of the agent's program, and ends the processes it left behind.
    const tree = { leader: identify(terminal.pid), mark: null };
    signalTree(tree, "SIGCONT");
    await endTree(tree, { politeMs: LIMITS.runPoliteMs, firmMs: LIMITS.runFirmMs });
  }
  const end = await whenClosed(worker, terminal, over.signal).catch(() => null);
  over.release();
  return end ?? { origin: "orchestrator", exitCode: null, signal: null };
}

/** Looks after the agent in a terminal until the agent ends or the worker must end. Null when the agent runs on. */
async function watchAgent(watch: Watch, terminal: AgentTerminal, stopped: () => Stop | null) {
  const { shift, reporter, signal } = watch;
  const closed = new AbortController();
  const over = joinSignals({ signals: [signal, closed.signal] });
  void followScreen(shift, reporter, over.signal);
  try {
    const end = await whenClosed(shift.worker, terminal, signal).catch((error: unknown) => {
      if (signal.aborted) return null;
      throw error;
    });
    if (end !== null) return end;
  } finally {
    closed.abort();
    over.release();
  }
  return stopped()?.kind === "aborted" ? closeTerminal(watch, terminal) : null;
}

/** Listens for the agent's reports first, then opens its terminal. */
async function begin(watch: Watch): Promise<{ opened: AgentTerminal | TerminalEnd; close: () => void }> {
  const { shift, reporter, signal } = watch;
  const { folder, log } = shift;
  const door = await openHookDoor(folder, reporter.take, log);
  try {
    return { opened: await openAgentTerminal(shift, signal), close: () => door.close() };
  } catch (error) {
    door.close();
    throw error;
  }
}

/** Reports that the agent could not be started, and why. */
async function failAtStart({ shift }: Watch, error: ClawError): Promise<number> {
  const { worker, log } = shift;
  bootAs(shift);
  walkTo(worker, "FAILED", error.message, (problem) => log(String(problem)));
  await worker.fatal(error.message, { error_class: "subprocess", code: error.code, retryable: false });
  await worker.flush();
  return 1;
}

async function conclude(conclusion: SessionConclusion): Promise<number> {
  const code = await concludeSession(conclusion);
  await conclusion.shift.worker.flush();
  return code;
}

async function work(watch: Watch, stopped: () => Stop | null): Promise<number> {
  const { shift, reporter, spending, signal } = watch;
  const begun = await begin(watch).catch((error: unknown) => {
    if (error instanceof ClawError && !signal.aborted) return error;
    throw error;
  });
  if (begun instanceof ClawError) return watch.farewell.say(failAtStart(watch, begun));
  const { opened, close } = begun;
  try {
    const terminal = isTerminal(opened) ? opened : null;
    if (terminal === null) bootAs(shift);
    else {
      announce(watch, terminal);
      await followPause(watch, terminal);
      obey(watch);
    }
    const end = isTerminal(opened) ? await watchAgent(watch, opened, stopped) : opened;
    const stop = stopped();
    if (end === null || stop?.kind === "shut-out") return stop?.kind === "told" ? TOLD_EXIT : 1;
    const terminalId = terminal?.id ?? shift.state.read().terminalId;
    return await watch.farewell.say(conclude({ shift, reporter, spending, terminalId, end, stop }));
  } finally {
    close();
  }
}

/** Looks after an agent that people can see and talk to. The agent runs in a terminal that outlives this process. */
export function beInteractive(shift: Shift): BusyWorker {
  const controller = new AbortController();
  let stopped: Stop | null = null;
  const farewell = createFarewell();
  const stop = (reason: Stop): void => {
    farewell.stopped(reason);
    stopped ??= reason;
    controller.abort(
      new ClawError("CANCELLED", "the worker was told to end", { operation: "work", target: shift.job.name }),
    );
  };
  const reporter = createSessionReporter(shift, shift.job.harness === "claw" ? firstPrompt(shift.job) : null);
  const { signal } = controller;
  const spending = createSpendingVoice(shift);
  const watch: Watch = { shift, control: createAgentControl(), reporter, spending, farewell, stop, signal };
  const failed = (error: unknown): number => {
    shift.log(`failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return 1;
  };
  return { stop, done: work(watch, () => stopped).catch(failed) };
}
