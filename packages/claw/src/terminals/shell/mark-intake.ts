import type { MarkListener } from "./marks.ts";
import { createMarkReader } from "./marks.ts";

/** Receives bytes from a pty, on their way to the log. */
export interface Intake {
  chunk(bytes: Buffer): void;
  /** No more bytes follow. */
  end(): void;
}

/** Bytes that may start a mark are held back for at most this time. */
const DOUBT_MS = 250;

/** Separates marks from the output of a pty. Output is never held back for long. */
export function createIntake(nonce: string, listener: MarkListener): Intake {
  const reader = createMarkReader(nonce, listener);
  let doubt: NodeJS.Timeout | undefined;
  return {
    chunk: (bytes) => {
      reader.push(bytes);
      if (doubt === undefined && !reader.holds()) return;
      clearTimeout(doubt);
      doubt = reader.holds() ? setTimeout(() => reader.release(), DOUBT_MS) : undefined;
    },
    end: () => {
      clearTimeout(doubt);
      reader.release();
    },
  };
}
