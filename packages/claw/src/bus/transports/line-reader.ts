import { createLineFramer, LIMITS } from "@claw/contract";
import type { ConnectionHandler } from "../transport.ts";

export interface LineReader {
  /** Takes what came in; whole lines go to the handler. */
  push(chunk: Uint8Array): void;
  close(): void;
}

export interface LineReaderOptions {
  /** How long a line may take from its first byte to its end. */
  readonly partialLineMs: number;
  /** The line was not finished in time. */
  readonly stalled: () => void;
}

const textOf = ({ buffer, byteOffset, length }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, length).toString();

/** Cuts a stream of bytes into lines, whole characters in them, and watches over lines that do not end. */
export function createLineReader(handler: ConnectionHandler, options: LineReaderOptions): LineReader {
  const framer = createLineFramer({ maxLineBytes: LIMITS.requestLineBytes });
  let timer: NodeJS.Timeout | undefined;
  const disarm = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const watch = (finished: boolean): void => {
    if (finished || framer.pendingBytes() === 0) disarm();
    if (framer.pendingBytes() > 0) timer ??= setTimeout(options.stalled, options.partialLineMs).unref();
  };
  return {
    push: (chunk) => {
      const lines = framer.push(chunk);
      for (const line of lines) {
        if (line.kind === "line") handler.line(textOf(line.bytes));
        else handler.oversize();
      }
      if (framer.pendingBytes() > LIMITS.requestLineBytes) handler.oversize();
      watch(lines.length > 0);
    },
    close: disarm,
  };
}
