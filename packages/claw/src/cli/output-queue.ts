import { write } from "node:fs";
import { errnoOf } from "../files/index.ts";

/** Writes a stream of text to stdout without holding up the rest of the program. */
export interface OutputQueue {
  /** Takes a text. Resolves at once, or, when too much is waiting for a slow reader, once there is room again. */
  push(text: string): Promise<void>;
  /** Resolves when everything is written, or nobody reads any more. Rejects when it cannot be written. */
  flush(): Promise<void>;
}

const MAX_WAITING_CHARS = 1024 * 1024;
const RETRY_MS = 5;
const HUNG_UP: ReadonlySet<string | undefined> = new Set(["EPIPE", "EBADF", "ECONNRESET"]);

/** One write of the system, which may take less than all; a full pipe in non-blocking mode takes nothing for now. */
function writeSome(bytes: Uint8Array): Promise<number> {
  return new Promise((resolve, reject) => {
    write(1, bytes, (error, written) => {
      if (error === null) resolve(written);
      else if (errnoOf(error) === "EAGAIN") setTimeout(() => resolve(0), RETRY_MS);
      else reject(error);
    });
  });
}

async function writeAll(text: string): Promise<void> {
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length;) offset += await writeSome(bytes.subarray(offset));
}

/** `onGone` is called once, as soon as the reader turns out to have hung up. */
export function createOutputQueue(onGone: () => void): OutputQueue {
  let waiting: string[] = [];
  let chars = 0;
  let isGone = false;
  let failure: Error | undefined;
  let pumping: Promise<void> | undefined;

  const drain = async (): Promise<void> => {
    while (waiting.length > 0) {
      const text = waiting.join("");
      waiting = [];
      chars = 0;
      await writeAll(text);
    }
  };
  /** Never rejects: whoever pushes or flushes next hears what went wrong. */
  const pump = async (): Promise<void> => {
    try {
      // What is pushed in the same turn is written together.
      await Promise.resolve();
      await drain();
    } catch (error) {
      waiting = [];
      chars = 0;
      isGone = true;
      if (HUNG_UP.has(errnoOf(error))) onGone();
      else failure = error as Error;
    } finally {
      pumping = undefined;
    }
    // Pushed after the last look.
    if (waiting.length > 0) await begin();
  };
  const begin = (): Promise<void> => (pumping ??= pump());
  return {
    push: async (text) => {
      if (failure !== undefined) throw failure;
      if (isGone) return;
      waiting.push(text);
      chars += text.length;
      const writing = begin();
      if (chars >= MAX_WAITING_CHARS) await writing;
    },
    flush: async () => {
      await begin();
      if (failure !== undefined) throw failure;
    },
  };
}
