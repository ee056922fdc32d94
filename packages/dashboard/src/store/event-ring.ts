import type { EventRow } from "./event-row.ts";

/** Events that the page keeps. Older ones are read from the log again. */
export const EVENT_ROWS = 100_000;
/** Rows beyond the limit that are dropped in one go, because each drop moves all rows. */
const DROPPED_AT_ONCE = 1000;

/** The newest events in the order of the log, each once, bounded. */
export interface EventRing {
  readonly rows: readonly EventRow[];
  /** Adds newer events. Events that are here already are left out. */
  append(rows: readonly EventRow[]): void;
  /** Adds older events in front, as far as there is room. Returns how many were added. */
  prepend(rows: readonly EventRow[]): number;
  clear(): void;
}

export function createEventRing(limit = EVENT_ROWS): EventRing {
  const rows: EventRow[] = [];
  return {
    rows,
    append: (more) => {
      for (const row of more) {
        if (row.sequence > (rows.at(-1)?.sequence ?? -1)) rows.push(row);
      }
      if (rows.length > limit + DROPPED_AT_ONCE) rows.splice(0, rows.length - limit);
    },
    prepend: (more) => {
      const first = rows[0]?.sequence ?? Infinity;
      const older = more.filter(({ sequence }) => sequence < first);
      const kept = older.slice(Math.max(0, older.length - Math.max(0, limit - rows.length)));
      rows.unshift(...kept);
      return kept.length;
    },
    clear: () => void rows.splice(0),
  };
}
