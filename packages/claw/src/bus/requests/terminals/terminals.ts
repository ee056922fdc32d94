import type { ReadRequest, ReplyFields, Terminal } from "claw-contract";
import { createAnsiStripper, LIMITS } from "claw-contract";
import type { BusContext } from "../../bus-context.ts";
import type { TerminalRecord } from "../../state/terminal-records.ts";
import { publishSystem } from "../../publish/store-event.ts";
import { brokenEnd, brokenStart } from "../../terminals/whole-characters.ts";
import { answerTerminal, onTerminal, terminalOf } from "./on-terminal.ts";
import { refuseOther } from "../../routing/machine-away.ts";
import { handleRequest, ok } from "../request-handler.ts";

type ListedTerminal = ReplyFields<"list">["terminals"][number];

/** A terminal in the form that all versions of clients read. */
function listed({ id, name, pid, integrated, ...view }: Terminal, record?: TerminalRecord): ListedTerminal {
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

export const handleListTerminals = handleRequest("list", ({ context, request }, done) => {
  const refused = refuseOther(context, request);
  if (refused !== undefined) return done(refused);
  const views = context.terminals.open().flatMap((id) => context.terminals.find(id) ?? []);
  const machine = context.log.machine === undefined ? {} : { machine: context.log.machine };
  return done(
    ok({ terminals: views.map((view) => ({ ...listed(view, context.state.terminals.get(view.id)), ...machine })) }),
  );
});

/** Would bring a terminal's window to the front. There are no windows here, so only the terminal id is checked. */
export const handleShowTerminal = handleRequest("show", (call, done) =>
  onTerminal(call, () => Promise.resolve({}), done),
);

async function typeInto(
  { terminals }: BusContext,
  terminalId: string,
  { text = "", newline = true, paste = false }: ReadRequest<"send">,
): Promise<ReplyFields<"send">> {
  if (newline) await terminals.inject(terminalId, text, { paste });
  else {
    const typed = paste ? `\u001b[200~${text.replaceAll(/[\u001b\u009b]/g, "")}\u001b[201~` : text;
    if (typed !== "") await terminals.write(terminalId, Buffer.from(typed));
  }
  return { mode: "wrapped" };
}

export const handleSendText = handleRequest("send", (call, done) =>
  onTerminal(call, (terminalId) => typeInto(call.context, terminalId, call.request), done),
);

export const handleShowScreen = handleRequest("terminal.screen", ({ context, request }, done) => {
  const id = terminalOf(request);
  return void answerTerminal(context.terminals.screen(id), id, done);
});

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

async function readOutput(
  { terminals }: BusContext,
  terminalId: string,
  { limit: most = LIMITS.terminalReadBytes, offset: from, strip }: ReadRequest<"readLog">,
): Promise<ReplyFields<"readLog">> {
  const limit = Math.min(LIMITS.terminalReadBytes, Math.max(0, Math.floor(most)));
  const range = from === undefined ? { limit } : { offset: Math.max(0, Math.floor(from)), limit };
  const { total, ...read } = await terminals.read(terminalId, range);
  const isLast = read.offset + read.bytes.length >= total;
  const { bytes, offset } = wholePage(read, { isTail: from === undefined, isLast });
  const text = Buffer.from(bytes).toString("utf8");
  return {
    bytes: strip === false ? text : createAnsiStripper().push(text),
    offset,
    nextOffset: offset + bytes.length,
    totalSize: total,
    truncated: !isLast,
    logPath: null,
  };
}

/** Output of a terminal, open or closed. */
export const handleReadTerminalLog = handleRequest("readLog", ({ context, request }, done) => {
  const id = terminalOf(request);
  return void answerTerminal(readOutput(context, id, request), id, done);
});

/**
 * Resolves when the mission's state includes all changes of terminals until now; at once when too many changes wait.
 */
const missionKnows = ({ serial }: BusContext): Promise<void> =>
  new Promise((resolve) => {
    const taken = serial.run("lifecycle", (release) => {
      release();
      resolve();
    });
    if (!taken) resolve();
  });

/** Closes a terminal. An unknown terminal is no error: the answer says `alreadyClosed`. */
export const handleCloseTerminal = handleRequest("close", ({ context, request }, done) => {
  const id = terminalOf(request);
  const { close_origin: origin = "orchestrator" } = request;
  const record = context.state.terminals.get(id);
  if (context.terminals.open().includes(id) && record !== undefined && record.state !== "CLOSING") {
    const payload = { terminalId: id, from: record.state, to: "CLOSING", ts: context.timestamp() };
    publishSystem(context, `vehicle.${id}.state`, payload);
  }
  const closed = async () => {
    const isClosed = await context.terminals.close(id, origin);
    await missionKnows(context);
    return { alreadyClosed: !isClosed };
  };
  return void answerTerminal(closed(), id, done);
});
