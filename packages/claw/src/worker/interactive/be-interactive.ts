import type { Command } from "claw-client";
import { ClawError, LIMITS } from "claw-contract";
import { endTree, identify, joinSignals, processList, signalTree } from "../../process/index.ts";
import type { AgentControl } from "../run/agent-control.ts";
import { createAgentControl } from "../run/agent-control.ts";
import type { BusyWorker, Stop } from "../be-worker.ts";
import { bootAs, tell, walkTo } from "../worker-life.ts";
import type { LastEvents } from "../report/publish-until-taken.ts";
import { createLastEvents } from "../report/publish-until-taken.ts";
import { obeyCommands } from "../obey-commands.ts";
import type { SpendingVoice } from "../spending/spending-voice.ts";
import { createSpendingVoice } from "../spending/spending-voice.ts";
import { firstPrompt } from "../run/run-work.ts";
import type { LifeParts } from "../worker-life.ts";
import type { AgentTerminal, AgentTerminalEnd } from "./agent-terminal.ts";
import { isTerminalTopic, openAgentTerminal, whenClosed } from "./agent-terminal.ts";
import type { SessionConclusion } from "./conclude-session.ts";
import { concludeSession } from "./conclude-session.ts";
import { followScreen } from "./follow-screen.ts";
import { openHookDoor } from "./hook-door.ts";
import type { SessionReporter } from "./session-reporter.ts";
import { createSessionReporter } from "./session-reporter.ts";

interface Watch {
  readonly life: LifeParts;
  readonly control: AgentControl;
  readonly reporter: SessionReporter;
  readonly spending: SpendingVoice;
  readonly lastEvents: LastEvents;
  readonly stop: (reason: Stop) => void;
  readonly signal: AbortSignal;
}

const SIGTERM_EXIT = 143;
/** How long to wait for the bus to report a closed terminal. After this time the worker assumes that it is closed. */
const CLOSED_MS = 10_000;

/** Publishes the boot, and the state of the agent in the terminal. */
function announce({ life, reporter }: Watch, { id, fresh }: AgentTerminal): void {
  const { worker, job, log } = life;
  bootAs(life, { terminal_id: id });
  const refused = (error: unknown): void => log(`a phase was refused: ${String(error)}`);
  walkTo(worker, "SPAWN", `the agent runs in terminal ${id}`, refused);
  if (job.attempt === 1) return;
  if (fresh) tell(life, "signal", worker.signal("restarted", { detail: job.reason ?? "" }));
  else {
    tell(life, "event", worker.event("LOG", `started anew; the agent in terminal ${id} went on meanwhile`));
    reporter.recall();
  }
}

/** Carries out commands except texts. The daemon pastes texts into the agent's terminal. */
function obey({ life, control, stop }: Watch): void {
  const abort = (command: Command): void => {
    const evidence = { kind: "sequence", value: command.sequence } as const;
    tell(life, "step", life.worker.step(command, { step: "acked", evidence }));
    stop({ kind: "aborted", command });
  };
  const options = { life, control, abort, takeText: () => null, offer: () => undefined };
  obeyCommands(options).catch((error: unknown) => life.log(`no more commands: ${String(error)}`));
}

/** Keeps an agent paused that was already paused before this life. */
async function followPause({ life, control }: Watch, { pid }: AgentTerminal): Promise<void> {
  control.began({ leader: identify(pid), mark: null });
  if (!["T", "t"].includes(processList.stat(pid)?.state ?? "")) return;
  await control.pause();
  tell(life, "signal", life.worker.signal("paused", { source: "process" }));
}

/** Closes the agent's terminal. When the bus refuses or is gone, ends the agent's processes directly. */
async function closeTerminal({ life }: Watch, terminal: AgentTerminal): Promise<AgentTerminalEnd> {
  const { worker, log } = life;
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
  const { life, reporter, signal } = watch;
  const closed = new AbortController();
  const over = joinSignals({ signals: [signal, closed.signal] });
  void followScreen(life, reporter, over.signal);
  try {
    const end = await whenClosed(life.worker, terminal, signal).catch((error: unknown) => {
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
async function openTerminal(watch: Watch): Promise<{ opened: AgentTerminal | AgentTerminalEnd; close: () => void }> {
  const { life, reporter, signal } = watch;
  const { job, log } = life;
  const door = await openHookDoor(job.folder, reporter.take, log);
  try {
    return { opened: await openAgentTerminal(life, signal), close: () => door.close() };
  } catch (error) {
    door.close();
    throw error;
  }
}

/** Reports that the agent could not be started, and why. */
async function failAtStart({ life }: Watch, error: ClawError): Promise<number> {
  const { worker, log } = life;
  bootAs(life);
  walkTo(worker, "FAILED", error.message, (problem) => log(String(problem)));
  await worker.fatal(error.message, { error_class: "subprocess", code: error.code, retryable: false });
  await worker.flush();
  return 1;
}

async function conclude(conclusion: SessionConclusion): Promise<number> {
  const code = await concludeSession(conclusion);
  await conclusion.life.worker.flush();
  return code;
}

async function watchTerminal(watch: Watch, stopped: () => Stop | null): Promise<number> {
  const { life, reporter, spending, signal } = watch;
  const begun = await openTerminal(watch).catch((error: unknown) => {
    if (error instanceof ClawError && !signal.aborted) return error;
    throw error;
  });
  if (begun instanceof ClawError) return watch.lastEvents.say(failAtStart(watch, begun));
  const { opened, close } = begun;
  try {
    const terminal = isTerminalTopic(opened) ? opened : null;
    if (terminal === null) bootAs(life);
    else {
      announce(watch, terminal);
      await followPause(watch, terminal);
      obey(watch);
    }
    const end = isTerminalTopic(opened) ? await watchAgent(watch, opened, stopped) : opened;
    const stop = stopped();
    if (end === null || stop?.kind === "shut-out") return stop?.kind === "signalled" ? SIGTERM_EXIT : 1;
    const terminalId = terminal?.id ?? life.state.read().terminalId;
    return await watch.lastEvents.say(conclude({ life, reporter, spending, terminalId, end, stop }));
  } finally {
    close();
  }
}

/** Looks after an agent that people can see and talk to. The agent runs in a terminal that outlives this process. */
export function beInteractive(life: LifeParts): BusyWorker {
  const controller = new AbortController();
  let stopped: Stop | null = null;
  const lastEvents = createLastEvents();
  const stop = (reason: Stop): void => {
    lastEvents.stopped(reason);
    stopped ??= reason;
    controller.abort(
      new ClawError("CANCELLED", "the worker was told to end", { operation: "work", target: life.job.name }),
    );
  };
  const reporter = createSessionReporter(life, life.job.harness === "claw" ? firstPrompt(life.job) : null);
  const { signal } = controller;
  const spending = createSpendingVoice(life);
  const watch: Watch = { life, control: createAgentControl(), reporter, spending, lastEvents, stop, signal };
  const failed = (error: unknown): number => {
    life.log(`failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return 1;
  };
  return { stop, done: watchTerminal(watch, () => stopped).catch(failed) };
}
