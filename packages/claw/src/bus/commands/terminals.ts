import type { Terminal } from "@claw/contract";
import { CLOSE_ORIGINS, createAnsiStripper, LIMITS } from "@claw/contract";
import { publishSystem } from "../publish/system-events.ts";
import { numberOf } from "../wire/read-payload.ts";
import type { TerminalRecord } from "../state/terminal-records.ts";
import { brokenEnd, brokenStart } from "../terminals/whole-characters.ts";
import type { Body, Command, CommandCall } from "./command.ts";
import { ok } from "./command.ts";
import { answer, terminalCommand, terminalOf } from "./terminal-command.ts";

/** A terminal in the form that all versions of clients read. */
function listed({ id, name, pid, integrated, ...view }: Terminal, record?: TerminalRecord): Body {
  return {
    id,
    name,
    pid,
    ptyPid: pid,
    shellPid: pid,
    ptyMode: "pty",
    hasShellIntegration: integrated,
    active: false,
    logPath: null,
    wrapped: true,
    status: "adopted",
    vehicleState: record?.state,
    cols: view.cols,
    rows: view.rows,
    cwd: view.cwd,
    argv: view.argv,
    openedAt: view.openedAt,
    correlation_id: view.correlationId,
    workerId: view.workerId,
    waveId: record?.waveId ?? null,
    waveRole: record?.waveRole ?? null,
  };
}

export const listTerminals: Command = {
  roles: undefined,
  run: ({ context }, done) => {
    const views = context.terminals.open().flatMap((id) => context.terminals.find(id) ?? []);
    const terminals = views.map((view) => listed(view, context.state.terminals.get(view.id)));
    return done(ok({ terminals }));
  },
};

/** Would bring a terminal's window to the front. There are no windows here, so only the terminal id is checked. */
export const showTerminal = terminalCommand(() => Promise.resolve({}));

export const sendText = terminalCommand(async ({ context, request }, terminalId) => {
  const { newline = true, paste = false } = request;
  const text = typeof request["text"] === "string" ? request["text"] : "";
  if (newline === false) {
    const typed = paste === true ? `\u001b[200~${text.replaceAll(/[\u001b\u009b]/g, "")}\u001b[201~` : text;
    if (typed !== "") await context.terminals.write(terminalId, Buffer.from(typed));
  } else await context.terminals.inject(terminalId, text, { paste: paste === true });
  return { mode: "wrapped" };
});

export const showScreen: Command = {
  roles: undefined,
  run: ({ context, request }, done) => {
    const id = terminalOf(request);
    const looked = async (): Promise<Body> => ({ ...(await context.terminals.screen(id)) });
    return void answer(looked(), id, done);
  },
};

interface Page {
  readonly bytes: Uint8Array;
  readonly offset: number;
}

/**
 * Cuts incomplete characters off the ends of a page: the start only of a tail. A client that reads on gets the
 * characters whole.
 */
function wholePage({ bytes, offset }: Page, { isTail, isLast }: { isTail: boolean; isLast: boolean }): Page {
  const skipped = isTail ? brokenStart(bytes) : 0;
  const cut = brokenEnd(bytes);
  // A client that reads less than a character at a time gets pieces. Otherwise its offset would never move on.
  const isTooSmall = cut === bytes.length && !isLast;
  return { bytes: bytes.subarray(skipped, bytes.length - (isTooSmall ? 0 : cut)), offset: offset + skipped };
}

async function readOutput({ context, request }: CommandCall, terminalId: string): Promise<Body> {
  const given = numberOf(request["limit"]) ?? LIMITS.terminalReadBytes;
  const limit = Math.min(LIMITS.terminalReadBytes, Math.max(0, Math.floor(given)));
  const from = numberOf(request["offset"]);
  const range = from === undefined ? { limit } : { offset: Math.max(0, Math.floor(from)), limit };
  const { total, ...read } = await context.terminals.read(terminalId, range);
  const isLast = read.offset + read.bytes.length >= total;
  const { bytes, offset } = wholePage(read, { isTail: from === undefined, isLast });
  const text = Buffer.from(bytes).toString("utf8");
  return {
    bytes: request["strip"] === false ? text : createAnsiStripper().push(text),
    offset,
    nextOffset: offset + bytes.length,
    totalSize: total,
    truncated: !isLast,
    logPath: null,
  };
}

/** Output of a terminal, open or closed. */
export const readTerminalLog: Command = {
  roles: undefined,
  run: (call, done) => {
    const id = terminalOf(call.request);
    return void answer(readOutput(call, id), id, done);
  },
};

/**
 * Resolves when the mission's state includes all changes of terminals until now; at once when too many changes wait.
 */
const missionKnows = ({ serial }: CommandCall["context"]): Promise<void> =>
  new Promise((resolve) => {
    const taken = serial.run("lifecycle", (release) => {
      release();
      resolve();
    });
    if (!taken) resolve();
  });

/** Closes a terminal. An unknown terminal is no error: the answer says `alreadyClosed`. */
export const closeTerminal: Command = {
  roles: undefined,
  run: ({ context, request }, done) => {
    const id = terminalOf(request);
    const origin = CLOSE_ORIGINS.find((each) => each === request["close_origin"]) ?? "orchestrator";
    const record = context.state.terminals.get(id);
    if (context.terminals.open().includes(id) && record !== undefined && record.state !== "CLOSING") {
      const payload = { terminalId: id, from: record.state, to: "CLOSING", ts: context.timestamp() };
      publishSystem(context, `vehicle.${id}.state`, payload);
    }
    const closed = async (): Promise<Body> => {
      const isClosed = await context.terminals.close(id, origin);
      await missionKnows(context);
      return { alreadyClosed: !isClosed };
    };
    return void answer(closed(), id, done);
  },
};
