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

/** The line of an object, as the agent wrote it or with secrets masked. */
export interface StoredLine {
  readonly text: string;
  /** Bytes with the line in them, from `at` on, when they are known and all ASCII. */
  readonly ascii: Uint8Array | null;
  readonly at: number;
}

/** Keeps the objects of a stream: in memory, and once they weigh too much all of them in a file. */
export interface EventStore {
  /** Takes an object and the line it is written as. */
  add(native: JsonObject, line: StoredLine, rules: StreamRules): void;
  /** The bytes of the lines so far may be overwritten after this call. */
  settle(): void;
  kept(rules: StreamRules): KeptEvents;
}

/** Objects nested deeper could not be written again. */
const MAX_DEPTH = 200;

/** Lines in memory, or in the spool once there are too many. */
interface KeptLines {
  /** Takes a line, and its text without blanks around it. */
  add(line: StoredLine, text: string): void;
  settle(): void;
  /** Moves the lines to the spool, which gets all later ones too. Without a spool later lines are dropped. */
  overflow(): void;
  /** The lines in memory. */
  lines(): Generator<string>;
}

function createKeptLines(spool: EventSpool | undefined): KeptLines {
  const store = createLineStore();
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
    add(line, text) {
      if (isFull && spool === undefined) return;
      if (line.ascii !== null && text.length === line.text.length) {
        span.add(line.ascii, line.at, line.at + text.length);
        return;
      }
      span.end();
      addText(text);
    },
    settle: () => span.end(),
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

/** Without a spool, events beyond the memory limit are counted and dropped. */
export function createEventStore(maxBytes: number, spool: EventSpool | undefined): EventStore {
  const lines = createKeptLines(spool);
  let rawCount = 0;
  let eventCount = 0;
  let chars = 0;
  let isFull = false;
  let eventsEnded = false;
  const readBack = (): JsonObject[] => Array.from(lines.lines(), (line) => JSON.parse(line) as JsonObject);

  return {
    add(native, line, rules) {
      // Blanks around the line that JSON does not allow would make `JSON.parse` fail when the line is read back.
      const text = line.text.trim();
      chars += text.length;
      if (!isFull && chars > maxBytes) {
        isFull = true;
        lines.overflow();
      }
      lines.add(line, text);
      rawCount += 1;
      if (eventsEnded) return;
      eventsEnded = chars > rules.maxEventChars;
      if (rules.isEvent(native)) eventCount += 1;
    },
    settle: () => lines.settle(),
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
