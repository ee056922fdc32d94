import { createInterface } from "node:readline";

/**
 * Lines that are typed, one for each call; null once there are no more. A line that is typed after a call was given up
 * and before the next one answers nothing. The input is opened by the first call.
 */
export function createLineReader(open: () => NodeJS.ReadableStream): (signal: AbortSignal) => Promise<string | null> {
  let lines: AsyncIterator<string> | undefined;
  let coming: Promise<string | null> | undefined;
  const read = async (from: AsyncIterator<string>): Promise<string | null> => {
    const { done, value } = await from.next();
    coming = undefined;
    return done ? null : value;
  };
  return (signal) => {
    lines ??= createInterface({ input: open() })[Symbol.asyncIterator]();
    // Who gave up before has left a line unread; another one would be the one after it.
    coming ??= read(lines);
    const stopped = new Promise<never>((_resolve, reject) => {
      if (signal.aborted) reject(signal.reason as Error);
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    });
    return Promise.race([coming, stopped]);
  };
}
