import type { ReplyFields } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { BusContext } from "../../bus-context.ts";
import { withOutputs } from "./history.ts";
import { answerTerminal, onTerminal } from "./on-terminal.ts";
import { error, handleRequest } from "../request-handler.ts";

const NOTE = "no shell integration active; the command was typed, and what became of it is not known";

const timeoutOf = (given: number = LIMITS.execTimeoutMs): number =>
  Math.min(LIMITS.execTimeoutMaxMs, Math.max(1, Math.floor(given)));

interface Execution {
  readonly terminalId: string;
  readonly command: string;
}

async function execute(
  { terminals }: BusContext,
  { terminalId, command }: Execution,
  signal: AbortSignal,
): Promise<ReplyFields<"exec">> {
  const ran = await terminals.execute(terminalId, command, signal);
  const { output, exitCode, startedAt, endedAt, degraded } = ran;
  const terminalName = terminals.find(terminalId)?.name ?? terminalId;
  const about = { seq: 0, terminalId, terminalName, commandLine: command };
  const event = { ...about, output, exitCode, startedAt, endedAt };
  return { event, exitCode, output, ...(degraded ? { degraded, ...(exitCode === null ? { note: NOTE } : {}) } : {}) };
}

/** Runs a command line in a shell and answers when it ended. */
export const handleExecCommand = handleRequest("exec", (call, done) => {
  const { context, request } = call;
  const { command } = request;
  const timeoutMs = timeoutOf(request.timeoutMs);
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), timeoutMs);
  const work = (terminalId: string) => execute(context, { terminalId, command }, limit.signal);
  return onTerminal(call, work, (outcome) => {
    clearTimeout(timer);
    const isLate = limit.signal.aborted && outcome.kind === "error";
    done(isLate ? error(`exec timeout after ${timeoutMs}ms`, { code: "TIMEOUT" }) : outcome);
  });
});

const limitOf = (given: number, most: number): number => Math.min(most, Math.max(0, Math.floor(given)));

const READ_PRESET = 50;

/** The newest commands of shells, of one terminal or of all. */
export const handleReadHistory = handleRequest("read", ({ context, peer, request }, done) => {
  const { since = 0 } = request;
  const id = request.id === undefined ? undefined : String(request.id);
  const all = context.state.terminals.history(since);
  const known =
    id !== undefined && (context.state.terminals.get(id) !== undefined || context.terminals.open().includes(id));
  const matching = known ? all.filter(({ terminalId }) => terminalId === id) : all;
  const limit = limitOf(request.limit ?? READ_PRESET, LIMITS.historyCommands);
  const shown = limit === 0 ? [] : matching.slice(-limit);
  const filled = async () => ({
    events: await withOutputs({ context, peer }, shown),
    cursor: shown.at(-1)?.seq ?? since,
  });
  return void answerTerminal(filled(), id ?? "", done);
});

export const handlePollHistory = handleRequest("poll", ({ context, peer, request }, done) => {
  const { since = 0 } = request;
  const limit = limitOf(request.limit ?? LIMITS.historyPage, LIMITS.historyPage);
  const all = context.state.terminals.history(since);
  const shown = limit === 0 ? [] : all.slice(-limit);
  const cursor = all.at(-1)?.seq ?? since;
  const truncated = all.length > shown.length;
  const filled = async () => ({ events: await withOutputs({ context, peer }, shown), cursor, truncated, limit });
  return void answerTerminal(filled(), "", done);
});
