import type { Terminal } from "claw-contract";
import { createAnsiStripper, trimEndOf } from "claw-contract";
import type { OutputPiece } from "./terminal-output.ts";
import type { LogItem, LogSource, LogReading } from "./log-source.ts";

/** Whole lines of an output; characters and sequences may be cut anywhere. */
interface OutputLines {
  push(bytes: Uint8Array): string[];
  /** The text after the last line end. */
  rest(): string[];
}

/** The visible text of a line that was overwritten, as progress bars do. */
function lastState(line: string): string {
  const whole = trimEndOf(line, "\r");
  return whole.slice(whole.lastIndexOf("\r") + 1);
}

/** Splits output into lines. Without `raw`, removes terminal sequences and overwritten text. */
export function createOutputLines(raw: boolean): OutputLines {
  const decoder = new TextDecoder("utf-8");
  const stripper = createAnsiStripper();
  const shown = (line: string): string => (raw ? line : lastState(line));
  // Pieces of a line that has not ended; joined once, since a line may be as long as all that is kept.
  let begun: string[] = [];
  return {
    push: (bytes) => {
      const text = decoder.decode(bytes, { stream: true });
      const [first = "", ...others] = (raw ? text : stripper.push(text)).split("\n");
      begun.push(first);
      const last = others.pop();
      if (last === undefined) return [];
      const lines = [begun.join(""), ...others];
      begun = [last];
      return lines.map(shown);
    },
    rest: () => {
      const line = begun.join("");
      return line === "" ? [] : [shown(line)];
    },
  };
}

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
export const terminalSource = (
  { id, workerId }: Pick<Terminal, "id" | "workerId">,
  pieces: AsyncIterable<OutputPiece>,
): LogSource => ({
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
