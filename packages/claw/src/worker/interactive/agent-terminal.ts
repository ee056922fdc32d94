import { join } from "node:path";
import type { Worker } from "@claw/client";
import { ClawError, fieldsOf, WORKER_FILES, WORKER_VARIABLES } from "@claw/contract";
import type { Shift } from "../shift.ts";
import { prepareAgent } from "./interactive-command.ts";

/** The terminal that a worker's agent runs in. */
export interface AgentTerminal {
  readonly id: string;
  /** The agent's process, which leads a group. */
  readonly pid: number;
  /** Whether the agent was started just now. */
  readonly fresh: boolean;
  /** Where the log stood before the terminal was there. */
  readonly since: string;
}

/** How a terminal ended. */
export interface TerminalEnd {
  readonly origin: string;
  /** Null when the program did not exit by itself, or nobody knows. */
  readonly exitCode: number | null;
  readonly signal: number | null;
}

/** Wide enough for what agents draw; whoever attaches makes it as large as his own. */
const COLS = 120;
const ROWS = 40;
const LOST: TerminalEnd = { origin: "error", exitCode: null, signal: null };
const START_OF_LOG = "0000:0";

const numberOf = (value: unknown): number | null => (typeof value === "number" ? value : null);

/** What the agent's environment has besides the terminal's; and what the terminal's has that it must not have. */
function environmentOf({ env, job, folder }: Shift): { set: Record<string, string>; unset: string[] } {
  const { [WORKER_VARIABLES.life]: _life, ...wanted } = env;
  const changed = Object.entries(wanted).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== process.env[entry[0]],
  );
  const unset = Object.keys(process.env).filter((name) => wanted[name] === undefined);
  // What ends with one life of the worker is marked with it; the agent outlives the process that looks after it.
  const reports = { [WORKER_VARIABLES.reports]: join(folder, WORKER_FILES.hooks) };
  const own = { [WORKER_VARIABLES.id]: job.peerId, ...(job.harness === "claw" ? reports : {}) };
  return { set: { ...Object.fromEntries(changed), ...job.env, ...own }, unset };
}

async function findOpen({ worker }: Shift): Promise<Pick<AgentTerminal, "id" | "pid"> | undefined> {
  const { terminalId, pid } = await worker.request("worker.terminal");
  return typeof terminalId === "string" ? { id: terminalId, pid: numberOf(pid) ?? 0 } : undefined;
}

async function create(shift: Shift): Promise<Pick<AgentTerminal, "id" | "pid">> {
  const { worker, job, folder, state } = shift;
  const { set, unset } = environmentOf(shift);
  const argv = prepareAgent(job, folder, job.attempt > 1 ? state.read().session.id : null);
  const { id, pid } = await worker.request("worker.terminal.open", {
    name: job.name,
    argv: ["env", ...unset.flatMap((name) => ["-u", name]), ...argv],
    cwd: job.cwd,
    env: set,
    cols: COLS,
    rows: ROWS,
  });
  return { id: String(id), pid: numberOf(pid) ?? 0 };
}

/** An answer that was lost with the connection may have been a terminal: it is looked for before another is opened. */
async function findOrCreate(shift: Shift): Promise<Omit<AgentTerminal, "since">> {
  for (;;) {
    try {
      const open = await findOpen(shift);
      return open === undefined ? { ...(await create(shift)), fresh: true } : { ...open, fresh: false };
    } catch (error) {
      if (!(error instanceof ClawError) || error.code !== "BUS_UNREACHABLE") throw error;
      shift.log("the bus was lost before it answered; asking again");
    }
  }
}

/** Waits for the end of a terminal. With `known`, no longer than what the log holds already; null when it does not. */
async function readEnd(worker: Worker, terminal: { id: string; since: string }, signal: AbortSignal, known: boolean) {
  for await (const item of worker.subscribe("system.terminal.closed", { from: terminal.since, signal })) {
    if (item.kind === "event") {
      const { terminal_id: id, close_origin: origin, exit_code: code, signal: killed } = fieldsOf(item.data);
      if (String(id) !== terminal.id) continue;
      return { origin: String(origin), exitCode: numberOf(code), signal: numberOf(killed) };
    }
    if (item.kind === "caught-up" && known) return null;
  }
  return null;
}

/** Resolves when the terminal is closed; null when the signal came first. */
export const whenClosed = (worker: Worker, terminal: AgentTerminal, signal: AbortSignal): Promise<TerminalEnd | null> =>
  readEnd(worker, terminal, signal, false);

/**
 * The terminal of this worker's agent: the one that an earlier life of it left, or a new one. When the one it left has
 * ended meanwhile, how it ended. Rejects with why there is none.
 */
export async function openAgentTerminal(shift: Shift, signal: AbortSignal): Promise<AgentTerminal | TerminalEnd> {
  const { worker, state } = shift;
  const { cursor = START_OF_LOG } = await worker.ready();
  const { terminalId, since } = state.read();
  const open = await findOpen(shift);
  if (open === undefined && terminalId !== null) {
    return (await readEnd(worker, { id: terminalId, since: since ?? cursor }, signal, true)) ?? LOST;
  }
  const found = await findOrCreate(shift);
  const begun = found.fresh || since === null ? cursor : since;
  state.keep({ terminalId: found.id, since: begun });
  return { ...found, since: begun };
}

export const isTerminal = (opened: AgentTerminal | TerminalEnd): opened is AgentTerminal => "id" in opened;
