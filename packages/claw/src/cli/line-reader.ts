import { createInterface } from "node:readline";
import { onAbort } from "claw-contract";

/**
 * Reads typed lines, a line for each call; null at the end of the input. When a call was aborted, its pending read goes
 * to the next call. A line typed between the two calls is dropped. The first call opens the input.
 */
export function createLineReader(open: () => NodeJS.ReadableStream): (signal: AbortSignal) => Promise<string | null> {
  let lines: AsyncIterator<string> | undefined;
  let coming: Promise<string | null> | undefined;
  const read = async (from: AsyncIterator<string>): Promise<string | null> => {
    const { done, value } = await from.next();
    coming = undefined;
    return done ? null : value;
  };
  return async (signal) => {
    lines ??= createInterface({ input: open() })[Symbol.asyncIterator]();
    // An aborted call leaves its read pending. A second read would skip that line.
    coming ??= read(lines);
    let forget = (): void => undefined;
    const stopped = new Promise<never>((_resolve, reject) => {
      forget = onAbort(signal, () => reject(signal.reason as Error));
    });
    try {
      return await Promise.race([coming, stopped]);
    } finally {
      forget();
    }
  };
}
