import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import type { FileSystem } from "../../files/index.ts";
import { errnoOf, syncFolder, writeFileAtomically } from "../../files/index.ts";
import type { ActiveSegment } from "./active-segment.ts";
import type { SegmentFile } from "./segment-files.ts";
import type { SparseIndex } from "./sparse-index.ts";
import { createSparseIndex, readSparseIndex } from "./sparse-index.ts";

/** A finished segment. */
export interface SealedSegment {
  readonly first: number;
  readonly path: string;
  /** Without entries when the index file is missing or damaged. Readers add the places that they come by. */
  readonly index: SparseIndex;
  size(): number;
}

export const indexPath = (path: string): string => path.replace(/\.jsonl$/, ".index");

function loadIndex({ first, path }: SegmentFile, size: number): KeptIndex | undefined {
  try {
    return readSparseIndex(first, readFileSync(indexPath(path), "utf8"), size);
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

/** The index that a clean stop kept, and what the segment's next event was to be when it has the same size still. */
export interface KeptIndex {
  readonly index: SparseIndex;
  readonly next: number | undefined;
}

/**
 * Takes over the index that a clean stop kept for a segment that is written on. The index file is removed for good
 * first: after a crash, it could name places that were cut off and written anew.
 */
export function takeIndex(fs: FileSystem, file: SegmentFile, size: number): KeptIndex | undefined {
  const kept = loadIndex(file, size);
  try {
    if (kept === undefined) return undefined;
    fs.unlinkSync(indexPath(file.path));
    syncFolder(fs, dirname(file.path));
    return kept;
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return undefined;
  }
}

/**
 * Keeps the index of a segment in a file beside it, with the segment's end: the next sequence and the size. Without the
 * file, the first reading starts at the segment's beginning.
 */
export function keepIndex(
  fs: FileSystem,
  { path, index, size }: Pick<ActiveSegment, "path" | "index" | "size">,
  next: number,
): void {
  try {
    writeFileAtomically(fs, indexPath(path), index.toText({ sequence: next, offset: size() }));
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

/** A finished segment whose index is read when it is first asked for (bench growth, "start of the daemon"). */
function sealedSegment(file: SegmentFile, size: number): SealedSegment {
  let index: SparseIndex | undefined;
  return {
    ...file,
    get index() {
      index ??= loadIndex(file, size)?.index ?? createSparseIndex(file.first);
      return index;
    },
    size: () => size,
  };
}

export const sealedSegments = (fs: FileSystem, files: readonly SegmentFile[]): SealedSegment[] =>
  files.map((file) => sealedSegment(file, fs.lstatSync(file.path).size));

export interface Retention {
  readonly retainBytes: number;
  readonly retainMs: number;
}

/** The oldest segments that are past keeping, by the size of all or by their own age. The active one always stays. */
export function expiredSegments(
  sealed: readonly SealedSegment[],
  activeBytes: number,
  { retainBytes, retainMs }: Retention,
): SealedSegment[] {
  let total = activeBytes + sealed.reduce((sum, segment) => sum + segment.size(), 0);
  const horizon = Date.now() - retainMs;
  const keepFrom = sealed.findIndex((segment) => {
    const modified = statSync(segment.path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (total <= retainBytes && modified >= horizon) return true;
    total -= segment.size();
    return false;
  });
  return sealed.slice(0, keepFrom === -1 ? sealed.length : keepFrom);
}
