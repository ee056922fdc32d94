import { createHash } from "node:crypto";
import type { IdRow } from "../publish/recent-ids.ts";
import { packRows } from "../publish/recent-ids.ts";
import type { SnapshotBytes } from "./snapshot-bytes.ts";
import { linesIn, textIn } from "./snapshot-bytes.ts";
import type { Snapshot } from "./snapshot-store.ts";

/**
 * Must change when the saved form of a projection changes, or the hashing of ids and bodies. A snapshot holds what
 * retention has removed from the log, so a later version keeps a reader for each older one.
 */
export const SNAPSHOT_VERSION = 7;

/** The state is printed at once, because later events may change what a projection has given. */
function* snapshotLines({ epoch, sequence, state, events }: Snapshot): Generator<string> {
  const parts = Object.entries(state).map((part) => JSON.stringify(part));
  yield JSON.stringify({ snapshot: SNAPSHOT_VERSION, epoch, sequence });
  yield* parts;
  for (const piece of events) yield `"${Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString("base64")}"`;
}

/**
 * A snapshot as text, in pieces: a header, the state of each projection, pieces of ids, and a digest of it all, each a line
 * of JSON.
 */
export function* printSnapshot(snapshot: Snapshot): Generator<string> {
  const digest = createHash("sha256");
  for (const line of snapshotLines(snapshot)) {
    const piece = `${line}\n`;
    digest.update(piece);
    yield piece;
  }
  yield sealOf(digest.digest("hex"));
}

/** The last line. */
const sealOf = (sha256: string): string => `${JSON.stringify({ sha256 })}\n`;

const SEAL_BYTES = sealOf("0".repeat(64)).length;

export type SnapshotReading =
  | { readonly kind: "snapshot"; readonly snapshot: Snapshot }
  /** Says why it cannot be used. */
  | { readonly kind: "unusable"; readonly why: string };

const unusable = (why: string): SnapshotReading => ({ kind: "unusable", why });

/** How the lines behind the header are read. */
interface Form {
  /** Whether a line holds one projection's state, as a name and a value. Otherwise the first line holds all states. */
  readonly isPart?: (line: Buffer) => boolean;
  /** Makes a reader of lines of ids, which gives them packed. A piece is valid until the next one is read. */
  readonly createReader: () => (line: string) => Uint8Array;
}

/** Reads every piece into the same memory (bench growth, "memory after a start"). */
function createBase64Reader(): (line: string) => Uint8Array {
  let place = Buffer.alloc(0);
  return (line) => {
    if (place.length < line.length) place = Buffer.allocUnsafe(line.length);
    return place.subarray(0, place.write(line.slice(1, -1), "base64"));
  };
}

const BRACKET = 0x5b;

/** Those before 7 hold the state in one line. 5, of claw 0.1.0, has rows of numbers as ids. */
const FORMS: ReadonlyMap<unknown, Form> = new Map<unknown, Form>([
  [SNAPSHOT_VERSION, { isPart: (line) => line[0] === BRACKET, createReader: createBase64Reader }],
  [6, { createReader: createBase64Reader }],
  [5, { createReader: () => (line) => packRows(JSON.parse(line) as IdRow[]) }],
]);

/** The states, and where the ids begin. One part at a time is text (bench growth, "memory after a start"). */
function readState(
  bytes: SnapshotBytes,
  { from, to }: { readonly from: number; readonly to: number },
  { isPart }: Form,
): { readonly state: Snapshot["state"]; readonly end: number } {
  const state: [string, unknown][] = [];
  let end = from;
  for (const line of linesIn(bytes, from, to)) {
    if (isPart?.(line) === false) break;
    end += line.length + 1;
    const value: unknown = JSON.parse(line.toString());
    if (isPart === undefined) return { state: value as Snapshot["state"], end };
    state.push(value as [string, unknown]);
  }
  return { state: Object.fromEntries(state), end };
}

function* readEvents(
  bytes: SnapshotBytes,
  { from, to }: { readonly from: number; readonly to: number },
  { createReader }: Form,
): Generator<Uint8Array> {
  const readPiece = createReader();
  for (const line of linesIn(bytes, from, to)) yield readPiece(line.toString("latin1"));
}

/** Whether the digest in the last line matches all bytes before. */
function isWhole(bytes: SnapshotBytes, sealAt: number): boolean {
  if (sealAt <= 0) return false;
  const digest = createHash("sha256");
  for (const piece of bytes.pieces(0, sealAt)) digest.update(piece);
  return textIn(bytes, sealAt, bytes.size) === sealOf(digest.digest("hex"));
}

interface Header {
  readonly snapshot?: unknown;
  readonly epoch?: unknown;
  readonly sequence?: unknown;
}

/**
 * Reads the output of `printSnapshot`, and that of older versions. Bytes with a wrong digest are not parsed. The ids are
 * read from the bytes when they are asked for.
 */
export function readSnapshot(bytes: SnapshotBytes): SnapshotReading {
  const to = bytes.size - SEAL_BYTES;
  if (!isWhole(bytes, to)) return unusable("it is damaged");
  const [line = Buffer.alloc(0)] = linesIn(bytes, 0, to);
  const { snapshot, epoch, sequence } = JSON.parse(line.toString()) as Header;
  const form = FORMS.get(snapshot);
  if (form === undefined || typeof epoch !== "string" || typeof sequence !== "number") {
    return unusable("it is of another version");
  }
  const { state, end } = readState(bytes, { from: line.length + 1, to }, form);
  return { kind: "snapshot", snapshot: { epoch, sequence, state, events: readEvents(bytes, { from: end, to }, form) } };
}
