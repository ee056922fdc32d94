import type { JsonObject } from "claw-contract";
import { createAsciiSpan } from "./line-store.ts";
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
  /**
   * Takes the next lines, joined by LF, in UTF-8. The bytes may be overwritten afterwards. Where a spool has no such
   * method, `append` takes these lines too. Never throws.
   */
  appendBytes?(lines: Uint8Array): void;
  /** Where the lines are, absolute, once there are any. */
  readonly path: string;
  /** Why lines are missing, or null. */
  problem(): string | null;
}

/** The objects of a stream, as a result holds them. */
interface HeldEvents {
  readonly raw: JsonObject[];
  readonly events: JsonObject[];
  /** Whether an object lacks parts because it is nested too deeply. */
  readonly isCut: boolean;
}

export interface KeptEvents extends HeldEvents {
  readonly rawCount: number;
  readonly eventCount: number;
  /**
   * Whether the arrays lack events or parts of events. With a spool file the arrays are empty; without a spool they
   * hold the beginning. An object that is nested too deeply is kept in part. Arrays that were not asked for lack nothing.
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
  /** The next lines stand in these bytes, when they are all ASCII; null for other lines. */
  beginRun(ascii: Uint8Array | null): void;
  /**
   * Takes an object and the line it is written as: the agent's, or with secrets masked. `at` is the place of the line in
   * the bytes of the run; null for a line that does not stand there.
   */
  add(native: JsonObject, line: string, at: number | null, rules: StreamRules): void;
  /** The bytes of the run may be overwritten after this call. */
  endRun(): void;
  /** Tells what is kept. The arrays hold the objects only when asked for: reading them back costs as much as parsing. */
  kept(rules: StreamRules, areEventsWanted: boolean): KeptEvents;
}

/** Objects nested deeper could not be written again. */
const MAX_DEPTH = 200;
/** A line with fewer characters has no room for the brackets of an object nested that deeply. */
const DEEP_CHARS = 2 * MAX_DEPTH;

/** Parses lines again. Serves the rows `harness` with events: a short line is not searched for depth. */
function readEvents(lines: Iterable<string>, { isEvent, eventOf }: StreamRules): HeldEvents {
  const raw: JsonObject[] = [];
  const events: JsonObject[] = [];
  let isCut = false;
  for (const line of lines) {
    const native = JSON.parse(line) as JsonObject;
    const limited = line.length < DEEP_CHARS ? native : limitDepth(native, MAX_DEPTH);
    isCut ||= limited !== native;
    raw.push(limited);
    if (isEvent(limited)) events.push(eventOf(limited));
  }
  return { raw, events, isCut };
}

/** Lines in memory, or in the spool once there are too many. */
interface KeptLines {
  beginRun(ascii: Uint8Array | null): void;
  /** Takes a line and its place in the bytes of the run; null for a line that does not stand there. */
  add(line: string, at: number | null): void;
  endRun(): void;
  /** Moves the lines to the spool, which gets all later ones too. Without a spool later lines are dropped. */
  overflow(): void;
  /** The lines in memory. */
  lines(): Generator<string>;
}

function createKeptLines(spool: EventSpool | undefined): KeptLines {
  const store = createLineStore();
  let run: Uint8Array | null = null;
  let isFull = false;
  const addText = (text: string): void => {
    if (isFull) spool?.append(text);
    else store.add(text);
  };
  const span = createAsciiSpan((bytes) => {
    if (!isFull) store.addBytes(bytes);
    else if (spool?.appendBytes !== undefined) spool.appendBytes(bytes);
    else for (const line of Buffer.from(bytes).toString("latin1").split("\n")) addText(line);
  });
  return {
    beginRun(ascii) {
      run = ascii;
    },
    add(line, at) {
      if (isFull && spool === undefined) return;
      if (run !== null && at !== null) {
        span.add(run, at, at + line.length);
        return;
      }
      span.end();
      addText(line);
    },
    endRun: () => span.end(),
    overflow() {
      span.end();
      isFull = true;
      if (spool === undefined) return;
      if (spool.appendBytes === undefined) for (const line of store.lines()) spool.append(line);
      else for (const bytes of store.blocks()) spool.appendBytes(bytes);
      store.clear();
    },
    lines: () => store.lines(),
  };
}

const [OPENING, CLOSING] = [0x7b, 0x7d];

/** Whether the line of an object has no blanks around it. Cheaper than `trim`, to serve the rows `short lines`. */
const beginsAndEnds = (line: string): boolean =>
  line.charCodeAt(0) === OPENING && line.charCodeAt(line.length - 1) === CLOSING;

/** Without a spool, events beyond the memory limit are counted and dropped. */
export function createEventStore(maxBytes: number, spool: EventSpool | undefined): EventStore {
  const lines = createKeptLines(spool);
  let rawCount = 0;
  let eventCount = 0;
  let chars = 0;
  let isFull = false;
  let eventsEnded = false;

  return {
    beginRun: (ascii) => lines.beginRun(ascii),
    add(native, line, at, rules) {
      // Blanks around the line that JSON does not allow would make `JSON.parse` fail when the line is read back.
      const text = beginsAndEnds(line) ? line : line.trim();
      chars += text.length;
      if (!isFull && chars > maxBytes) {
        isFull = true;
        lines.overflow();
      }
      lines.add(text, text.length === line.length ? at : null);
      rawCount += 1;
      if (eventsEnded) return;
      eventsEnded = chars > rules.maxEventChars;
      if (rules.isEvent(native)) eventCount += 1;
    },
    endRun: () => lines.endRun(),
    kept(rules, areEventsWanted) {
      const { raw, events, isCut } = readEvents(areEventsWanted ? lines.lines() : [], rules);
      return {
        raw,
        events,
        rawCount,
        eventCount,
        isCut: isFull || isCut,
        eventsEnded,
        path: isFull ? spool?.path : undefined,
        problem: isFull ? (spool?.problem() ?? null) : null,
      };
    },
  };
}
