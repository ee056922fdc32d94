import { LF } from "claw-contract";
import type { LogBatch, StoredEvent } from "./event-log.ts";
import { readLogLine } from "./log-line.ts";
import type { ReadFiles } from "./read-files.ts";

export interface ReadPlan {
  readonly path: string;
  /** Where to begin: the start of some line at or before the wanted one. */
  readonly offset: number;
  /** Bytes of the file that are committed. */
  readonly size: number;
  /** Events up to this sequence are passed over. */
  readonly after: number;
  /** Events beyond this sequence are not committed, or their line is damaged. */
  readonly head: number;
  readonly maxBytes: number;
}

/** Where reading ended, so that the next batch need not search. */
export interface ReadPlace {
  readonly path: string;
  readonly offset: number;
}

export interface SegmentBatch extends LogBatch {
  readonly place: ReadPlace;
  /** Whether events stand before that place that may be committed later. */
  readonly isAhead: boolean;
}

function linesOf(bytes: Buffer): { lines: string[]; used: number } {
  const end = bytes.lastIndexOf(LF);
  if (end === -1) return { lines: [], used: 0 };
  return { lines: bytes.toString("utf8", 0, end).split("\n"), used: end + 1 };
}

/** Whole lines from an offset on; a line longer than `maxBytes` is read whole all the same. */
async function readLines(files: ReadFiles, plan: ReadPlan): Promise<{ lines: string[]; used: number }> {
  for (let length = plan.maxBytes; ; length *= 2) {
    const wanted = Math.min(length, plan.size - plan.offset);
    const buffer = Buffer.allocUnsafe(Math.max(0, wanted));
    const size = await files.read(plan.path, buffer, plan.offset);
    const found = linesOf(buffer.subarray(0, size));
    if (found.used > 0 || wanted < length) return found;
  }
}

/**
 * The next events of one segment, in growing order: what the file repeats is left out. `through` is the last sequence
 * found; an empty batch means the end of the segment.
 */
export async function readSegment(files: ReadFiles, plan: ReadPlan): Promise<SegmentBatch> {
  const { lines, used } = await readLines(files, plan);
  const events: StoredEvent[] = [];
  let through = plan.after;
  let isBeyond = false;
  for (const line of lines) {
    const event = readLogLine(line);
    if (event === undefined || event.sequence <= through) continue;
    if (event.sequence > plan.head) isBeyond = true;
    else {
      events.push(event);
      through = event.sequence;
    }
  }
  // Uncommitted events stand behind the head. An earlier line with a number beyond the head is damaged.
  const isAhead = isBeyond && through >= plan.head;
  return { events, through, place: { path: plan.path, offset: plan.offset + used }, isAhead };
}
