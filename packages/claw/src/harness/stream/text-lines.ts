import { isAscii } from "node:buffer";
import type { FramedLine, JsonObject } from "claw-contract";
import { createLineFramer, LF, isObject } from "claw-contract";

/** A line that was longer than the limit, whose content is lost. */
export interface OversizeLine {
  readonly bytes: number;
}

/** Lines that stand behind each other in a stream. */
export interface LineRun {
  readonly lines: readonly (string | OversizeLine)[];
  /** The bytes of the lines, joined by LF, when all of them are ASCII; a part of the chunk. Null for other lines. */
  readonly ascii: Uint8Array | null;
}

export interface TextLines {
  /** The lines a chunk completes, without their LF, in order. Lines end at LF and nowhere else. */
  push(chunk: Uint8Array): readonly (string | OversizeLine)[];
  /** The same lines as `push` returns, with their bytes. */
  pushRuns(chunk: Uint8Array): readonly LineRun[];
  /** The text after the last LF. */
  end(): readonly (string | OversizeLine)[];
}

/** Bytes that are no UTF-8 become replacement characters: one broken string need not cost the whole line. */
const decode = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8");

const contentOf = (line: FramedLine): string | OversizeLine =>
  line.kind === "oversize" ? { bytes: line.bytes } : decode(line.bytes);

/** Lines are looked at together until they have this many bytes. */
const BLOCK_BYTES = 1024;

function decodeRun(bytes: Uint8Array, isPlain: boolean): LineRun {
  if (!isPlain) return { lines: decode(bytes).split("\n"), ascii: null };
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return { lines: text.split("\n"), ascii: bytes };
}

/**
 * Whole lines, without the last LF, as runs of ASCII and of other lines. Serves the rows of `harness` for Codex: one
 * foreign character would make a string of two bytes for each character out of all lines decoded with it, which
 * `JSON.parse` reads slower.
 */
function cutRuns(bytes: Uint8Array): LineRun[] {
  if (isAscii(bytes)) return [decodeRun(bytes, true)];
  const runs: LineRun[] = [];
  let start = 0;
  let wasPlain = false;
  for (let at = 0; at < bytes.length;) {
    const found = bytes.indexOf(LF, at + BLOCK_BYTES);
    const end = found === -1 ? bytes.length : found;
    const isPlain = isAscii(bytes.subarray(at, end));
    if (isPlain !== wasPlain && at > start) {
      runs.push(decodeRun(bytes.subarray(start, at - 1), wasPlain));
      start = at;
    }
    wasPlain = isPlain;
    at = end + 1;
  }
  runs.push(decodeRun(bytes.subarray(start), wasPlain));
  return runs;
}

/**
 * Lines of a byte stream as text. Lines that begin and end in one chunk are decoded together, which for short lines costs
 * half of decoding them one by one; LF is never part of another character, so that changes nothing. Serves the rows `short
 * lines`.
 */
export function createTextLines(maxLineBytes: number): TextLines {
  const framer = createLineFramer({ maxLineBytes, reusesMemory: true });
  const frame = (chunk: Uint8Array): LineRun => ({ lines: framer.push(chunk).map(contentOf), ascii: null });
  const pushRuns = (chunk: Uint8Array): readonly LineRun[] => {
    const first = chunk.indexOf(LF);
    const last = chunk.lastIndexOf(LF);
    // A line that begins and ends in this chunk can exceed the limit only when the chunk is longer than the limit.
    if (first === last || chunk.length > maxLineBytes) return [frame(chunk)];
    const begun = frame(chunk.subarray(0, first + 1));
    const whole = cutRuns(chunk.subarray(first + 1, last));
    framer.push(chunk.subarray(last + 1));
    return [begun, ...whole];
  };
  return {
    push: (chunk) => pushRuns(chunk).flatMap(({ lines }) => lines),
    pushRuns,
    end: () => framer.end().map(contentOf),
  };
}

/**
 * Content of a line: a JSON object, `nothing` for a blank line or another JSON value, `malformed` for text that is no
 * JSON.
 */
export type LineContent = JsonObject | "nothing" | "malformed";

function parse(text: string): LineContent {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : "nothing";
  } catch {
    return "malformed";
  }
}

/** Reads one line. Never throws. */
export function readStreamLine(text: string): LineContent {
  if (text.length === 0) return "nothing";
  const content = parse(text);
  if (content !== "malformed") return content;
  const trimmed = text.trim();
  if (trimmed === "") return "nothing";
  return trimmed.length === text.length ? "malformed" : parse(trimmed);
}
