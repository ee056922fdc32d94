import { commandText, LIMITS } from "@claw/contract";
import type { BusContext } from "../bus-context.ts";
import { idOf, numberOf, textOf } from "../wire/read-payload.ts";
import type { RanRecord } from "../state/terminal-records.ts";
import type { Body, Command } from "./command.ts";
import { error } from "./command.ts";
import { answer, terminalCommand } from "./terminal-command.ts";

const NOTE = "no shell integration active; the command was typed, and what became of it is not known";

const timeoutOf = (value: unknown): number => {
  const given = Math.floor(numberOf(value) ?? LIMITS.execTimeoutMs);
  return Math.min(LIMITS.execTimeoutMaxMs, Math.max(1, given));
};

/** Runs a command line in a shell and answers when it ended. */
export const execCommand: Command = {
  roles: undefined,
  run: (call, done) => {
    const { context, request } = call;
    const command = textOf(request["command"]);
    const timeoutMs = timeoutOf(request["timeoutMs"]);
    if (command === undefined) return done(error("exec: command required"));
    if (command.length > LIMITS.execCommandChars) return done(error("exec: command too long"));
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), timeoutMs);
    const run = terminalCommand(async (_call, terminalId) => {
      const { output, exitCode, startedAt, endedAt, degraded } = await context.terminals.execute(
        terminalId,
        command,
        limit.signal,
      );
      const terminalName = context.terminals.find(terminalId)?.name ?? terminalId;
      const about = { seq: 0, terminalId, terminalName, commandLine: command };
      const event = { ...about, output, exitCode, startedAt, endedAt };
      return {
        event,
        exitCode,
        output,
        ...(degraded ? { degraded, ...(exitCode === null ? { note: NOTE } : {}) } : {}),
      };
    });
    return run.run(call, (result) => {
      clearTimeout(timer);
      const isLate = limit.signal.aborted && result.kind === "error";
      done(isLate ? error(`exec timeout after ${timeoutMs}ms`, { code: "TIMEOUT" }) : result);
    });
  },
};

/** A command line that ran, in the form older clients read, with as much of its output as is still kept. */
async function historyEvent({ terminals }: BusContext, ran: RanRecord, limit: number): Promise<Body> {
  const { from, to, ...event } = ran;
  const size = Math.min(to - from, LIMITS.historyOutputBytes, limit);
  if (size <= 0) return { ...event, output: "" };
  try {
    const { bytes, offset } = await terminals.read(ran.terminalId, { offset: to - size, limit: size });
    const known = offset < to ? Buffer.from(bytes).subarray(0, to - offset) : Buffer.alloc(0);
    return { ...event, output: commandText(known.toString("utf8")) };
  } catch {
    // Its output is no longer kept.
    return { ...event, output: "" };
  }
}

/** Reads the output of the newest command lines first, since an answer holds at most `LIMITS.historyPageBytes`. */
async function fill(context: BusContext, commands: readonly RanRecord[]): Promise<Body[]> {
  const events: Body[] = [];
  let left: number = LIMITS.historyPageBytes;
  for (const ran of commands.toReversed()) {
    events.unshift(await historyEvent(context, ran, left));
    left -= Math.min(left, ran.to - ran.from);
  }
  return events;
}

const limitOf = (value: unknown, preset: number, most: number): number =>
  Math.min(most, Math.max(0, Math.floor(numberOf(value) ?? preset)));

const READ_PRESET = 50;

/** The newest commands of shells, of one terminal or of all. */
export const readHistory: Command = {
  roles: undefined,
  run: ({ context, request }, done) => {
    const since = numberOf(request["since"]) ?? 0;
    const id = idOf(request["id"]);
    const all = context.state.terminals.history(since);
    const known =
      id !== undefined && (context.state.terminals.get(id) !== undefined || context.terminals.open().includes(id));
    const matching = known ? all.filter(({ terminalId }) => terminalId === id) : all;
    const limit = limitOf(request["limit"], READ_PRESET, LIMITS.historyCommands);
    const shown = limit === 0 ? [] : matching.slice(-limit);
    const filled = async (): Promise<Body> => ({
      events: await fill(context, shown),
      cursor: shown.at(-1)?.seq ?? since,
    });
    return void answer(filled(), id ?? "", done);
  },
};

export const pollHistory: Command = {
  roles: undefined,
  run: ({ context, request }, done) => {
    const since = numberOf(request["since"]) ?? 0;
    const limit = limitOf(request["limit"], LIMITS.historyPage, LIMITS.historyPage);
    const all = context.state.terminals.history(since);
    const shown = limit === 0 ? [] : all.slice(-limit);
    const cursor = all.at(-1)?.seq ?? since;
    const truncated = all.length > shown.length;
    const filled = async (): Promise<Body> => ({ events: await fill(context, shown), cursor, truncated, limit });
    return void answer(filled(), "", done);
  },
};
