import type { FramedLine } from "claw-contract";
import { createLineFramer, LF } from "claw-contract";

/** A line that was longer than the limit, whose content is lost. */
export interface OversizeLine {
  readonly bytes: number;
}

export interface TextLines {
  /** The lines a chunk completes, without their LF, in order. Lines end at LF and nowhere else. */
  push(chunk: Uint8Array): readonly (string | OversizeLine)[];
  /** The text after the last LF. */
  end(): readonly (string | OversizeLine)[];
}

/** Bytes that are no UTF-8 become replacement characters: one broken string need not cost the whole line. */
const decode = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");

const contentOf = (line: FramedLine): string | OversizeLine =>
  line.kind === "oversize" ? { bytes: line.bytes } : decode(line.bytes);

/**
 * Lines of a byte stream as text. Lines that begin and end in one chunk are decoded together, which for short lines costs
 * half of decoding them one by one; LF is never part of another character, so that changes nothing.
 */
export function createTextLines(maxLineBytes: number): TextLines {
  const framer = createLineFramer({ maxLineBytes, reusesMemory: true });
  return {
    push(chunk) {
      const first = chunk.indexOf(LF);
      const last = chunk.lastIndexOf(LF);
      // A line that begins and ends in this chunk can exceed the limit only when the chunk is longer than the limit.
      if (first === last || chunk.length > maxLineBytes) return framer.push(chunk).map(contentOf);
      const begun = framer.push(chunk.subarray(0, first + 1)).map(contentOf);
      const whole = decode(chunk.subarray(first + 1, last)).split("\n");
      framer.push(chunk.subarray(last + 1));
      return begun.concat(whole);
    },
    end: () => framer.end().map(contentOf),
  };
}
