import type { JsonObject } from "claw-contract";
import { limitDepth } from "../stream/loose-values.ts";
import { createLineStore } from "./line-store.ts";
import type { StreamRules } from "../stream/stream-rules.ts";

/** Takes the lines of a stream that exceeds the memory limit. */
export interface EventSpool {
  /**
   * Takes the next line, without its LF, in the order of the stream. From the first call on it gets every line,
   * those before the limit first. Never throws: a spool that cannot write says so in `problem`.
   */
  append(line: string): void;
  /** Where the lines are, absolute, once there are any. */
  readonly path: string;
  /** Why lines are missing, or null. */
  problem(): string | null;
}

export interface KeptEvents {
  readonly raw: readonly JsonObject[];
  readonly events: readonly JsonObject[];
  readonly rawCount: number;
  readonly eventCount: number;
  /**
   * Whether the arrays lack events or parts of events. With a spool file the arrays are empty; without a spool they
   * hold the beginning. An object that is nested too deeply is kept in part.
   */
  readonly isCut: boolean;
  /** Whether events stopped being kept as such, by the rules of the stream. */
  readonly eventsEnded: boolean;
  readonly path: string | undefined;
  /** Why the file lacks something, or null. */
  readonly problem: string | null;
}

/** Keeps the objects of a stream: in memory, and once they weigh too much all of them in a file. */
export interface EventStore {
  /** Takes an object and the line it is written as. */
  add(native: JsonObject, line: string, rules: StreamRules): void;
  kept(rules: StreamRules): KeptEvents;
}

/** Objects nested deeper could not be written again. */
const MAX_DEPTH = 200;

/** Without a spool, events beyond the memory limit are counted and dropped. */
export function createEventStore(maxBytes: number, spool: EventSpool | undefined): EventStore {
  const store = createLineStore();
  let rawCount = 0;
  let eventCount = 0;
  let chars = 0;
  let isFull = false;
  let eventsEnded = false;

  const startSpooling = (): void => {
    isFull = true;
    if (spool === undefined) return;
    for (const line of store.lines()) spool.append(line);
    store.clear();
  };
  const readBack = (): JsonObject[] => Array.from(store.lines(), (line) => JSON.parse(line) as JsonObject);

  return {
    add(native, line, rules) {
      // Blanks around the line that JSON does not allow would make `JSON.parse` fail when the line is read back.
      const text = line.trim();
      chars += text.length;
      if (!isFull && chars > maxBytes) startSpooling();
      if (isFull) spool?.append(text);
      else store.add(text);
      rawCount += 1;
      if (eventsEnded) return;
      eventsEnded = chars > rules.maxEventChars;
      if (rules.isEvent(native)) eventCount += 1;
    },
    kept(rules) {
      const whole = readBack();
      const raw = whole.map((native) => limitDepth(native, MAX_DEPTH));
      return {
        raw,
        events: raw.filter(rules.isEvent).map(rules.eventOf),
        rawCount,
        eventCount,
        isCut: isFull || raw.some((native, index) => native !== whole[index]),
        eventsEnded,
        path: isFull ? spool?.path : undefined,
        problem: isFull ? (spool?.problem() ?? null) : null,
      };
    },
  };
}
