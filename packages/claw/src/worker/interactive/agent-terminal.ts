import { join } from "node:path";
import type { Worker } from "claw-client";
import { ClawError, numberOrNull, objectOf, OLDEST, WORKER_FILES, WORKER_VARIABLES } from "claw-contract";
import type { LifeParts } from "../worker-life.ts";
import { prepareAgent } from "./prepare-agent.ts";

/** The terminal of a worker's agent. */
export interface AgentTerminal {
  readonly id: string;
  /** Pid of the agent's process, which leads a process group. */
  readonly pid: number;
  /** Whether this life started the agent. */
  readonly fresh: boolean;
  /** Cursor of the log before the terminal was opened. */
  readonly since: string;
}

/** How a terminal ended. */
export interface AgentTerminalEnd {
  readonly origin: string;
  /** Null when the program did not exit by itself, or its exit code is unknown. */
  readonly exitCode: number | null;
  readonly signal: number | null;
}

/** Wide enough for the screens of agents. An attaching client resizes the terminal to its own size. */
const COLS = 120;
const ROWS = 40;
const LOST: AgentTerminalEnd = { origin: "error", exitCode: null, signal: null };
/** Variables to add to the terminal's environment for the agent, and variables to remove from it. */
function environmentOf({ env, job }: LifeParts): { set: Record<string, string>; unset: string[] } {
  const { [WORKER_VARIABLES.life]: _life, ...wanted } = env;
  const changed = Object.entries(wanted).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== process.env[entry[0]],
  );
  const unset = Object.keys(process.env).filter((name) => wanted[name] === undefined);
  // The life variable is left out: it marks processes that end with a life, but the agent outlives the worker's
  // process.
  const reports = { [WORKER_VARIABLES.reports]: join(job.folder, WORKER_FILES.hooks) };
  const own = { [WORKER_VARIABLES.id]: job.peerId, ...(job.harness === "claw" ? reports : {}) };
  return { set: { ...Object.fromEntries(changed), ...job.env, ...own }, unset };
}

async function findOpen({ worker }: LifeParts): Promise<Pick<AgentTerminal, "id" | "pid"> | undefined> {
  const { terminalId, pid } = await worker.request("worker.terminal");
  return terminalId === null ? undefined : { id: terminalId, pid: pid ?? 0 };
}

async function create(life: LifeParts): Promise<Pick<AgentTerminal, "id" | "pid">> {
  const { worker, job, state } = life;
  const { set, unset } = environmentOf(life);
  const argv = prepareAgent(job, job.folder, job.attempt > 1 ? state.read().session.id : null);
  const { id, pid } = await worker.request("worker.terminal.open", {
    name: job.name,
    argv: ["env", ...unset.flatMap((name) => ["-u", name]), ...argv],
    cwd: job.cwd,
    env: set,
    cols: COLS,
    rows: ROWS,
  });
  return { id, pid };
}

/** A reply lost with the connection may have opened a terminal. So the worker looks for one before opening another. */
async function findOrCreate(life: LifeParts): Promise<Omit<AgentTerminal, "since">> {
  for (;;) {
    try {
      const open = await findOpen(life);
      return open === undefined ? { ...(await create(life)), fresh: true } : { ...open, fresh: false };
    } catch (error) {
      if (!(error instanceof ClawError) || error.code !== "BUS_UNREACHABLE") throw error;
      life.log("the bus was lost before it answered; asking again");
    }
  }
}

/**
 * Waits for the end of a terminal. With `known`, reads only the events already in the log; null when the end is not
 * there.
 */
async function readEnd(worker: Worker, terminal: { id: string; since: string }, signal: AbortSignal, known: boolean) {
  for await (const item of worker.subscribe("system.terminal.closed", { from: terminal.since, signal })) {
    if (item.kind === "event") {
      const { terminal_id: id, close_origin: origin, exit_code: code, signal: killed } = objectOf(item.data);
      if (String(id) !== terminal.id) continue;
      return { origin: String(origin), exitCode: numberOrNull(code), signal: numberOrNull(killed) };
    }
    if (item.kind === "caught-up" && known) return null;
  }
  return null;
}

/** Resolves when the terminal is closed; with null when the signal is aborted first. */
export const whenClosed = (
  worker: Worker,
  terminal: AgentTerminal,
  signal: AbortSignal,
): Promise<AgentTerminalEnd | null> => readEnd(worker, terminal, signal, false);

/**
 * The terminal of this worker's agent: the terminal left by an earlier life, or a new one. When the left terminal has
 * ended meanwhile, resolves with its end. Rejects with the reason why no terminal can be opened.
 */
export async function openAgentTerminal(
  life: LifeParts,
  signal: AbortSignal,
): Promise<AgentTerminal | AgentTerminalEnd> {
  const { worker, state } = life;
  const { cursor = OLDEST } = await worker.ready();
  const { terminalId, since } = state.read();
  const open = await findOpen(life);
  if (open === undefined && terminalId !== null) {
    return (await readEnd(worker, { id: terminalId, since: since ?? cursor }, signal, true)) ?? LOST;
  }
  const found = await findOrCreate(life);
  const begun = found.fresh || since === null ? cursor : since;
  state.keep({ terminalId: found.id, since: begun });
  return { ...found, since: begun };
}

export const isTerminalTopic = (opened: AgentTerminal | AgentTerminalEnd): opened is AgentTerminal => "id" in opened;
