import type { StatusLine } from "./status-line.ts";
import { writeAll } from "./write-all.ts";

/** Writes a stream of text to stdout without holding up the rest of the program. */
export interface OutputQueue {
  /** Queues a text. Resolves at once, or, when too much waits for a slow reader, once there is room again. */
  push(text: string): Promise<void>;
  /** Resolves when all text is written, or when the reader has hung up. Rejects when writing fails. */
  flush(): Promise<void>;
}

const MAX_WAITING_CHARS = 1024 * 1024;

/** Texts that wait to be written together. */
class WaitingText {
  #texts: string[] = [];
  #chars = 0;

  add(text: string): void {
    this.#texts.push(text);
    this.#chars += text.length;
  }

  take(): string {
    const text = this.#texts.join("");
    this.#texts = [];
    this.#chars = 0;
    return text;
  }

  chars(): number {
    return this.#chars;
  }
}

export interface OutputQueueOptions {
  /** Called once, as soon as the queue notices that the reader has hung up. */
  readonly onGone: () => void;
  /** The status line on the terminal. It is hidden while text is written. */
  readonly status: Pick<StatusLine, "away" | "back">;
}

export function createOutputQueue({ onGone, status }: OutputQueueOptions): OutputQueue {
  const waiting = new WaitingText();
  let isGone = false;
  let failure: Error | undefined;
  let pumping: Promise<void> | undefined;

  const drain = async (): Promise<void> => {
    if (isGone || waiting.chars() === 0) return;
    // Texts pushed in the same turn of the event loop are written together.
    await Promise.resolve();
    status.away();
    try {
      while (waiting.chars() > 0 && !isGone) isGone = !(await writeAll(1, Buffer.from(waiting.take())));
    } finally {
      status.back();
    }
    if (isGone) onGone();
  };
  /** Never rejects: the next `push` or `flush` throws the failure. */
  const pump = async (): Promise<void> => {
    await drain().catch((error: unknown) => {
      failure = error as Error;
    });
    pumping = undefined;
    // Text was pushed after the last check.
    if (waiting.chars() > 0 && !isGone && failure === undefined) await begin();
  };
  const begin = (): Promise<void> => (pumping ??= pump());
  return {
    push: async (text) => {
      if (failure !== undefined) throw failure;
      if (isGone) return;
      waiting.add(text);
      const writing = begin();
      if (waiting.chars() >= MAX_WAITING_CHARS) await writing;
    },
    flush: async () => {
      await begin();
      if (failure !== undefined) throw failure;
    },
  };
}
