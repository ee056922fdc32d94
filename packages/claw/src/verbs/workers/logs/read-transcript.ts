import type { FileHandle } from "node:fs/promises";
import { open } from "node:fs/promises";
import { constants } from "node:fs";
import { createLineFramer, cutChars, HARNESS_IDS, LF, LIMITS } from "claw-contract";
import type { ReplyFields } from "claw-contract";
import type { ReadTranscript } from "../../../daemon/index.ts";
import { errnoOf } from "../../../files/index.ts";
import { HARNESSES } from "../../../harness/index.ts";
import type { LogEntry } from "./log-source.ts";
import { entry } from "./log-source.ts";
import { createTranscriptStory } from "./transcript-story.ts";

type Item = ReplyFields<"worker.transcript">["items"][number];
type Asked = Parameters<ReadTranscript>[0];

/** The items of one line of a transcript. */
interface LineItems {
  readonly start: number;
  readonly end: number;
  readonly items: readonly Item[];
}

interface Span {
  readonly from: number;
  readonly to: number;
}

const PIECE_BYTES = 64 * 1024;
/** How much is read first to find the newest items; four times as much when that was too little. */
const FIRST_BYTES = 128 * 1024;

async function openRegular(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (errnoOf(error) === "ENOENT") return null;
    throw error;
  }
}

/** The bytes of a span, a piece at a time, so that other work gets its turn. */
async function* piecesIn(file: FileHandle, { from, to }: Span): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to;) {
    const bytes = new Uint8Array(Math.min(PIECE_BYTES, to - at));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, at);
    if (bytesRead === 0) return;
    yield bytes.subarray(0, bytesRead);
    at += bytesRead;
  }
}

/** Where the first line at or after an offset begins; the end of the file when none begins there. */
async function lineStartAt(file: FileHandle, offset: number, size: number): Promise<number> {
  if (offset <= 0) return 0;
  let at = offset - 1;
  for await (const bytes of piecesIn(file, { from: at, to: size })) {
    const end = bytes.indexOf(LF);
    if (end !== -1) return at + end + 1;
    at += bytes.length;
  }
  return size;
}

function itemOf({ kind, text, call, agent }: LogEntry, position: number, { redact }: Asked): Item {
  const plain = redact(agent === undefined ? text : text.replaceAll(/^ {2}/gm, ""));
  const isCut = plain.length > LIMITS.transcriptItemChars;
  return {
    position,
    kind,
    text: isCut ? cutChars(plain, LIMITS.transcriptItemChars, LIMITS.transcriptItemChars - 1) : plain,
    ...(call === undefined ? {} : { call }),
    ...(agent === undefined ? {} : { agent }),
    ...(isCut ? { cut: true } : {}),
  };
}

/** Lines that begin in a span, with their items. Lines shortly before the span are read too, because they explain later lines. */
async function* linesIn(file: FileHandle, { from, to }: Span, asked: Asked): AsyncGenerator<LineItems> {
  const story = createTranscriptStory(HARNESSES[HARNESS_IDS.find((id) => id === asked.harness) ?? "claude-code"]);
  const framer = createLineFramer({ maxLineBytes: LIMITS.runLineBytes });
  let start = await lineStartAt(file, from - LIMITS.transcriptLeadBytes, to);
  for await (const bytes of piecesIn(file, { from: start, to })) {
    for (const line of framer.push(bytes)) {
      const isWhole = line.kind !== "oversize";
      const end = start + (isWhole ? line.bytes.length : line.bytes) + 1;
      const entries = isWhole ? story.take(line.bytes) : entry("note", `(${line.bytes} bytes)`);
      const position = start;
      const items = entries.filter(({ repeats }) => repeats !== true).map((each) => itemOf(each, position, asked));
      if (position >= from) yield { start: position, end, items };
      start = end;
    }
  }
}

/** Counts items and characters, and says when a part is full. One line always fits. */
function createRoom(limit: number): (line: LineItems) => boolean {
  let [items, chars] = [0, 0];
  return (line) => {
    const size = line.items.reduce((sum, { text }) => sum + text.length, 0);
    if (items > 0 && (items + line.items.length > limit || chars + size > LIMITS.transcriptPartChars)) return false;
    items += line.items.length;
    chars += size;
    return true;
  };
}

/** The lines from an offset on that fit into a part. */
async function linesFrom(file: FileHandle, from: number, size: number, asked: Asked): Promise<readonly LineItems[]> {
  const fits = createRoom(asked.limit);
  const lines: LineItems[] = [];
  for await (const line of linesIn(file, { from: await lineStartAt(file, from, size), to: size }, asked)) {
    if (!fits(line)) break;
    lines.push(line);
    if (line.end - from >= LIMITS.transcriptPartBytes) break;
  }
  return lines;
}

/** The last lines before an offset that fit into a part. */
async function linesBefore(file: FileHandle, to: number, asked: Asked): Promise<readonly LineItems[]> {
  for (let room = FIRST_BYTES; ; room *= 4) {
    const from = await lineStartAt(file, to - room, to);
    const found: LineItems[] = [];
    for await (const line of linesIn(file, { from, to }, asked)) found.push(line);
    const fits = createRoom(asked.limit);
    const last = found.findLastIndex((line) => !fits(line));
    const isEnough = last !== -1 || from === 0 || (found.length > 0 && room >= LIMITS.transcriptPartBytes);
    if (isEnough) return found.slice(last + 1);
  }
}

/** The end of the last whole line. */
async function wholeLines(file: FileHandle, size: number): Promise<number> {
  for (let to = size; to > 0;) {
    const bytes = new Uint8Array(Math.min(PIECE_BYTES, to));
    const { bytesRead } = await file.read(bytes, 0, bytes.length, to - bytes.length);
    const end = bytes.subarray(0, bytesRead).lastIndexOf(LF);
    if (end !== -1) return to - bytes.length + end + 1;
    to -= bytes.length;
  }
  return 0;
}

/** Reads a part of a transcript. */
export const readTranscript: ReadTranscript = async (asked) => {
  const file = await openRegular(asked.path);
  if (file === null) return null;
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return null;
    const size = await wholeLines(file, stats.size);
    const { range } = asked;
    const isForward = range !== "newest" && "after" in range;
    const border = range === "newest" ? size : Math.min(size, isForward ? range.after : range.before);
    const lines = isForward ? await linesFrom(file, border, size, asked) : await linesBefore(file, border, asked);
    const first = lines[0]?.start ?? border;
    const next = lines.at(-1)?.end ?? border;
    const items = lines.flatMap((line) => line.items);
    return { items, first, next, hasOlder: first > 0, hasNewer: next < size, bytes: size };
  } finally {
    await file.close();
  }
};
