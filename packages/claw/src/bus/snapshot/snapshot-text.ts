import { createHash } from "node:crypto";
import { LF } from "claw-contract";
import type { IdRow } from "../publish/recent-ids.ts";
import { packRows } from "../publish/recent-ids.ts";
import type { Snapshot } from "./snapshot-store.ts";

/**
 * Must change when the saved form of a projection changes, or the hashing of ids and bodies. A snapshot holds what
 * retention has removed from the log, so a later version keeps a reader for each older one.
 */
export const SNAPSHOT_VERSION = 6;

function* snapshotLines({ epoch, sequence, state, events }: Snapshot): Generator<string> {
  yield JSON.stringify({ snapshot: SNAPSHOT_VERSION, epoch, sequence });
  yield JSON.stringify(state);
  for (const piece of events) yield `"${Buffer.from(piece.buffer, piece.byteOffset, piece.length).toString("base64")}"`;
}

/** A snapshot as text, in pieces: a header, the state, pieces of ids, and a digest of it all, each a line of JSON. */
export function* printSnapshot(snapshot: Snapshot): Generator<string> {
  const digest = createHash("sha256");
  for (const line of snapshotLines(snapshot)) {
    const piece = `${line}\n`;
    digest.update(piece);
    yield piece;
  }
  yield `${JSON.stringify({ sha256: digest.digest("hex") })}\n`;
}

export type SnapshotReading =
  | { readonly kind: "snapshot"; readonly snapshot: Snapshot }
  /** Says why it cannot be used. */
  | { readonly kind: "unusable"; readonly why: string };

const unusable = (why: string): SnapshotReading => ({ kind: "unusable", why });

/** Of claw 0.1.0, whose lines of ids are rows of numbers. */
const ROWS_VERSION = 5;

/** The ids of one line, packed. */
type ReadPiece = (line: string) => Uint8Array;

const PIECE_READERS: ReadonlyMap<unknown, ReadPiece> = new Map<unknown, ReadPiece>([
  [SNAPSHOT_VERSION, (line) => Buffer.from(line.slice(1, -1), "base64")],
  [ROWS_VERSION, (line) => packRows(JSON.parse(line) as IdRow[])],
]);

function* readEvents(bytes: Buffer, from: number, readPiece: ReadPiece): Generator<Uint8Array> {
  for (let start = from; start < bytes.length;) {
    const end = bytes.indexOf(LF, start);
    yield readPiece(bytes.toString("latin1", start, end));
    start = end + 1;
  }
}

/** Whether the digest in the last line matches all bytes before. */
function isWhole(bytes: Buffer, sealAt: number): boolean {
  const digest = createHash("sha256").update(bytes.subarray(0, sealAt)).digest("hex");
  return sealAt > 0 && bytes.toString("utf8", sealAt) === `${JSON.stringify({ sha256: digest })}\n`;
}

interface Header {
  readonly snapshot?: unknown;
  readonly epoch?: unknown;
  readonly sequence?: unknown;
}

/** Reads the output of `printSnapshot`, and that of claw 0.1.0. Bytes with a wrong digest are not parsed. */
export function readSnapshot(bytes: Buffer): SnapshotReading {
  const sealAt = bytes.lastIndexOf(LF, -2) + 1;
  if (!isWhole(bytes, sealAt)) return unusable("it is damaged");
  const headEnd = bytes.indexOf(LF);
  const { snapshot, epoch, sequence } = JSON.parse(bytes.toString("utf8", 0, headEnd)) as Header;
  const readPiece = PIECE_READERS.get(snapshot);
  if (readPiece === undefined || typeof epoch !== "string" || typeof sequence !== "number") {
    return unusable("it is of another version");
  }
  const stateEnd = bytes.indexOf(LF, headEnd + 1);
  const state = JSON.parse(bytes.toString("utf8", headEnd + 1, stateEnd)) as Snapshot["state"];
  const events = readEvents(bytes.subarray(0, sealAt), stateEnd + 1, readPiece);
  return { kind: "snapshot", snapshot: { epoch, sequence, state, events } };
}
