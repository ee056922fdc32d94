import type { JsonObject } from "@claw/contract";
import { limitDepth } from "./limit-depth.ts";
import type { Spool } from "./spool.ts";
import type { StreamRules } from "./stream-rules.ts";

export interface KeptEvents {
  readonly raw: readonly JsonObject[];
  readonly events: readonly JsonObject[];
  readonly rawCount: number;
  readonly eventCount: number;
  /** Whether the arrays hold less than there was. */
  readonly isCut: boolean;
  /** Whether events stopped being kept as such, by the rules of the stream. */
  readonly eventsEnded: boolean;
  readonly path: string | undefined;
  /** Why the file lacks something, or null. */
  readonly problem: string | null;
}

/** Keeps the objects of a stream: the first in memory, and once they weigh too much all of them in a file. */
export interface EventStore {
  add(native: JsonObject, line: string, rules: StreamRules): void;
  kept(): KeptEvents;
}

/** Objects nested deeper could not be written again. */
const MAX_DEPTH = 200;

/** Without a spool what memory may not hold is counted and dropped. */
export function createEventStore(maxBytes: number, spool: Spool | undefined): EventStore {
  const raw: JsonObject[] = [];
  const events: JsonObject[] = [];
  let rawCount = 0;
  let eventCount = 0;
  let chars = 0;
  let isFull = false;
  let eventsEnded = false;

  const startSpooling = (): void => {
    isFull = true;
    for (const native of raw) spool?.append(JSON.stringify(native));
  };

  return {
    add(native, line, rules) {
      chars += line.length;
      rawCount += 1;
      if (!isFull && chars > maxBytes) startSpooling();
      const limited = isFull ? native : limitDepth(native, MAX_DEPTH);
      if (isFull) spool?.append(line);
      else raw.push(limited);
      if (eventsEnded) return;
      // The event that crosses the limit is the last one.
      eventsEnded = chars > rules.maxEventChars;
      if (!rules.isEvent(native)) return;
      eventCount += 1;
      if (!isFull) events.push(rules.eventOf(limited));
    },
    kept: () => ({
      raw,
      events,
      rawCount,
      eventCount,
      isCut: isFull,
      eventsEnded,
      path: isFull ? spool?.path : undefined,
      problem: isFull ? (spool?.problem() ?? null) : null,
    }),
  };
}
