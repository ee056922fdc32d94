import { lengthen, writeOut } from "../wire/short-shape.ts";
import type { SharedShapes, ShortShape } from "../wire/short-shape.ts";
import type { Shape } from "../wire/shape.ts";
import { matchSegments } from "./topics.ts";

/**
 * An event as one text: its pattern, the name of its schema, its shape written short. The name is left out when it
 * follows from the pattern, as `worker-boot-v1` from `worker.*.boot`.
 */
export type EventLine = string;

export interface ListedEvent {
  readonly pattern: string;
  readonly name: string;
  readonly shape: ShortShape;
}

const FIRST_VERSION = "-v1";

/** The usual name of the schema of the events that a pattern covers. */
export const usualName = (pattern: string): string =>
  pattern
    .split(".")
    .filter((segment) => !segment.startsWith("*"))
    .join("-")
    .replaceAll("_", "-") + FIRST_VERSION;

export const eventLine = ({ pattern, name, shape }: ListedEvent): EventLine =>
  [pattern, ...(name === usualName(pattern) ? [] : [name]), shape].join(" ");

export function readEventLine(line: EventLine): ListedEvent {
  const words = line.split(" ");
  const pattern = words[0] ?? "";
  return { pattern, name: words.length === 2 ? usualName(pattern) : (words[1] ?? ""), shape: words.at(-1) ?? "" };
}

/** One event of a table. */
export interface EventEntry {
  readonly name: string;
  readonly pattern: string;
  /** The shape of the event's data. */
  readonly shape: () => Shape;
}

export interface EventTable {
  /** The entry that decides about the segments of a topic: the first whose pattern covers them. */
  find(segments: readonly string[]): EventEntry | undefined;
  readonly entries: readonly EventEntry[];
}

/** Reads a table of events: an `EventLine` in each line. */
export function createEventTable(text: string, shared: SharedShapes): EventTable {
  const lines = writeOut(text, shared).split("\n");
  const rows = lines.map((line) => {
    const { pattern, name, shape: short } = readEventLine(line);
    return { name, pattern, segments: pattern.split("."), shape: () => lengthen(short, shared) };
  });
  return {
    entries: rows,
    find: (segments) => rows.find((row) => matchSegments(row.segments, segments)),
  };
}
