import { createLineFramer, LF, LIMITS } from "claw-contract";
import type { ConnectionHandler } from "./transport.ts";

export interface LineReader {
  /** Takes received bytes. Passes whole lines to the handler. */
  push(chunk: Uint8Array): void;
  close(): void;
}

export interface LineReaderOptions {
  /** How long a line may take from its first byte to its end. */
  readonly partialLineMs: number;
  /** The line was not finished in time. */
  readonly stalled: () => void;
}

/**
 * Lines of one piece after which their requests may take effect. The client gets its first answers while the daemon
 * handles the rest, and both processes work at the same time (bench bus, "window 100, relaxed").
 */
const LINES_BEFORE_REST = 50;

const decodeFrame = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString();

/** Tells when a line that was begun is not finished in time. */
function createWatch(isBegun: () => boolean, { stalled, partialLineMs }: LineReaderOptions) {
  let timer: NodeJS.Timeout | undefined;
  const disarm = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const watch = (finished: boolean): void => {
    if (finished || !isBegun()) disarm();
    if (isBegun()) timer ??= setTimeout(stalled, partialLineMs).unref();
  };
  return { watch, disarm };
}

/** Cuts a stream of bytes into lines, whole characters in them, and watches over lines that do not end. */
export function createFrameReader(
  handler: Pick<ConnectionHandler, "line" | "rest" | "lineLimit" | "oversize">,
  options: LineReaderOptions,
): LineReader {
  const framer = createLineFramer({ maxLineBytes: LIMITS.requestLineBytes });
  const { watch, disarm } = createWatch(() => framer.pendingBytes() > 0, options);
  let isOver = false;
  const refuse = (): void => {
    isOver = true;
    handler.oversize();
  };
  /** Any bytes, in any portions. */
  const frame = (bytes: Uint8Array): boolean => {
    const lines = framer.push(bytes);
    for (const line of lines) {
      if (line.kind === "line") handler.line(decodeFrame(line.bytes));
      else refuse();
    }
    if (framer.pendingBytes() > handler.lineLimit()) refuse();
    return lines.length > 0;
  };
  /** Whole lines none of which can be too long: decoded at once (bench bus, "window 100"). A character never spans an LF. */
  const decode = (bytes: Uint8Array): void => {
    const lines = decodeFrame(bytes).split("\n");
    for (let index = 0; index < lines.length; index += 1) {
      if (index > 0 && index % LINES_BEFORE_REST === 0) handler.rest?.();
      handler.line(lines[index] ?? "");
    }
  };
  return {
    push: (chunk) => {
      // The connection is ending. Bytes are read and dropped, so that the client gets to read the answer.
      if (isOver) return undefined;
      const first = framer.pendingBytes() > 0 ? chunk.indexOf(LF) + 1 : 0;
      const last = chunk.lastIndexOf(LF);
      if (chunk.length > LIMITS.requestLineBytes || last < first) return watch(frame(chunk));
      if (first > 0) frame(chunk.subarray(0, first));
      decode(chunk.subarray(first, last));
      if (last + 1 < chunk.length) frame(chunk.subarray(last + 1));
      return watch(true);
    },
    close: disarm,
  };
}
