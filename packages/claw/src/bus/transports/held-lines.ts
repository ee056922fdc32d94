import { LIMITS } from "claw-contract";

/**
 * Holds back the lines of a client that does not read its answers. Until the client reads, the lines wait and no more
 * lines are read.
 */
export interface HeldLines {
  /** Handles a line, at once or when there is room for its answer. */
  take(line: string): void;
  /** Says that the client has read. */
  resume(): void;
}

export interface HeldLinesOptions {
  readonly line: (text: string) => void;
  /** Bytes that wait to be read by the client. */
  readonly backlogBytes: () => number;
  /** Stops reading from the client, or reads again. */
  readonly pause: (on: boolean) => void;
}

/** Holds no more lines than came in one piece, since nothing is read meanwhile. */
export function createHeldLines({ line, backlogBytes, pause }: HeldLinesOptions): HeldLines {
  let held: string[] = [];
  const isFull = (): boolean => backlogBytes() > LIMITS.unreadAnswerBytes;
  return {
    take: (text) => {
      if (held.length === 0 && !isFull()) return line(text);
      if (held.push(text) === 1) pause(true);
      return undefined;
    },
    resume: () => {
      if (held.length === 0) return;
      let next = 0;
      for (; next < held.length && !isFull(); next += 1) line(held[next] ?? "");
      held = held.slice(next);
      if (held.length === 0) pause(false);
    },
  };
}
