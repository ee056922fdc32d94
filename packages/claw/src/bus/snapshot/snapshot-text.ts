import { createHash } from "node:crypto";
import { LF } from "claw-contract";
import type { Snapshot } from "./snapshot-store.ts";

/** Must change when the saved form of a projection changes, or the hashing of ids and bodies: versions must not mix. */
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

function* readEvents(bytes: Buffer, from: number): Generator<Uint8Array> {
  for (let start = from; start < bytes.length;) {
    const end = bytes.indexOf(LF, start);
    yield Buffer.from(bytes.toString("latin1", start + 1, end - 1), "base64");
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

/** Reads the output of `printSnapshot`. Bytes with a wrong digest are not parsed. */
export function readSnapshot(bytes: Buffer): SnapshotReading {
  const sealAt = bytes.lastIndexOf(LF, -2) + 1;
  if (!isWhole(bytes, sealAt)) return unusable("it is damaged");
  const headEnd = bytes.indexOf(LF);
  const { snapshot, epoch, sequence } = JSON.parse(bytes.toString("utf8", 0, headEnd)) as Header;
  if (snapshot !== SNAPSHOT_VERSION || typeof epoch !== "string" || typeof sequence !== "number") {
    return unusable("it is of another version");
  }
  const stateEnd = bytes.indexOf(LF, headEnd + 1);
  const state = JSON.parse(bytes.toString("utf8", headEnd + 1, stateEnd)) as Snapshot["state"];
  const events = readEvents(bytes.subarray(0, sealAt), stateEnd + 1);
  return { kind: "snapshot", snapshot: { epoch, sequence, state, events } };
}
