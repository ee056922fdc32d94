import type { MarkListener } from "./marks.ts";
import { createMarkReader } from "./marks.ts";

/** What comes from a pty, on its way to the log. */
export interface Intake {
  chunk(bytes: Buffer): void;
  /** Nothing more comes. */
  end(): void;
}

/** What may be the start of a mark is let go of after this time. */
const DOUBT_MS = 250;

/** Takes marks out of what comes from a pty. Nothing is held back for long. */
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
