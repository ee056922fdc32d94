import type { Terminal } from "claw-contract";
import { createOutputLines } from "./output-lines.ts";
import type { OutputPiece } from "./terminal-output.ts";
import type { LogItem, LogSource, LogReading } from "./log-source.ts";

/** Pieces of bytes, and how far they were read. */
export async function* noted(pieces: AsyncIterable<OutputPiece>, reading: LogReading): AsyncGenerator<OutputPiece> {
  for await (const piece of pieces) {
    reading.seen(piece.offset, piece.offset + piece.bytes.length);
    yield piece;
  }
}

/** Lines of what was printed. */
export async function* lineItems(pieces: AsyncIterable<OutputPiece>, raw: boolean): AsyncGenerator<LogItem> {
  const lines = createOutputLines(raw);
  let last = 0;
  for await (const piece of pieces) {
    last = piece.offset;
    const whole = lines.push(piece.bytes);
    if (whole.length > 0) yield { type: "output", offset: piece.offset, text: whole.join("\n") };
  }
  for (const text of lines.rest()) yield { type: "output", offset: last, text };
}

/** The output of a terminal. */
export const terminalSource = ({ id, workerId }: Terminal, pieces: AsyncIterable<OutputPiece>): LogSource => ({
  raw: (reading) => noted(pieces, reading),
  items: (reading, raw) => lineItems(noted(pieces, reading), raw),
  about: () => ({
    terminal_id: id,
    worker_id: workerId,
    transcript: null,
    process_log: null,
    state: null,
    reason: null,
  }),
  close: () => Promise.resolve(),
});
