import type { ReadRequest, ReplyFields } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import type { Terminals } from "../../terminals/terminals.ts";
import { handleRequest } from "../request-handler.ts";
import { answerTerminal, onTerminal } from "./on-terminal.ts";

/** Newest output that a reader gets who names no place. */
const TAIL_BYTES = 64 * 1024;

type Followed = ReplyFields<"terminal.output">;
type Nothing = ReplyFields<"terminal.resize">;
type End = Pick<Followed, "ended" | "exitCode" | "signal">;

const GOES_ON: End = { ended: false, exitCode: null, signal: null };
const HAS_ENDED: End = { ended: true, exitCode: null, signal: null };

/** Waits for output past an offset, or for the end of the terminal; at most the given time. */
async function whenMore(terminals: Terminals, terminalId: string, from: number, waitMs: number): Promise<End> {
  let end = HAS_ENDED;
  const forget = terminals.onClosed((closed) => {
    if (closed.terminalId !== terminalId) return;
    end = { ended: true, exitCode: closed.exitCode ?? null, signal: closed.signal ?? null };
  });
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), waitMs);
  try {
    await terminals.whenOutput(terminalId, from, late.signal);
    return GOES_ON;
  } catch (error) {
    if (error instanceof ClawError && error.code === "TERMINAL_NOT_FOUND") return end;
    if (late.signal.aborted) return GOES_ON;
    throw error;
  } finally {
    clearTimeout(timer);
    forget();
  }
}

async function follow(terminals: Terminals, asked: ReadRequest<"terminal.output">): Promise<Followed> {
  const { terminalId, offset, waitMs = 0 } = asked;
  const isOpen = (): boolean => terminals.open().includes(terminalId);
  const from = offset ?? Infinity;
  const wait =
    offset !== undefined && waitMs > 0 && isOpen() ? whenMore(terminals, terminalId, from, waitMs) : undefined;
  const end = (await wait) ?? (isOpen() ? GOES_ON : HAS_ENDED);
  const range = offset === undefined ? { limit: TAIL_BYTES } : { offset, limit: LIMITS.terminalReadBytes };
  const { bytes, offset: at, total } = await terminals.read(terminalId, range);
  const next = at + bytes.length;
  // What was printed before the end is read first.
  return { data: Buffer.from(bytes).toString("base64"), offset: at, next, ...end, ended: end.ended && next >= total };
}

/** A reader that asks again and again follows a terminal, at its own pace. */
export const handleFollowOutput = handleRequest("terminal.output", ({ context, request }, done) => {
  return void answerTerminal(follow(context.terminals, request), request.terminalId, done);
});

export const handleWriteTerminal = handleRequest("terminal.write", (call, done) => {
  const bytes = Buffer.from(call.request.data, "base64");
  const write = async (terminalId: string): Promise<Nothing> => {
    await call.context.terminals.write(terminalId, bytes);
    return {};
  };
  return onTerminal(call, write, done);
});

export const handleResizeTerminal = handleRequest("terminal.resize", (call, done) => {
  const { cols, rows } = call.request;
  const resize = async (terminalId: string): Promise<Nothing> => {
    await call.context.terminals.resize(terminalId, cols, rows);
    return {};
  };
  return onTerminal(call, resize, done);
});
