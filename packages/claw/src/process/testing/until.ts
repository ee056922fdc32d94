import { setTimeout } from "node:timers/promises";

/** A little less than a test may take, so that the failure names what the test waited for. */
const GIVE_UP_MS = 110_000;
const EVERY_MS = 2;

/** Looks for a value; undefined or false means that the value is not there yet. */
type Look<T> = () => T | undefined | false | Promise<T | undefined | false>;

interface Patience {
  readonly patienceMs: number;
  readonly everyMs?: number;
}

/** Looks again and again. Resolves with the first value found, or with undefined when the time is over. */
export async function lookFor<T>(look: Look<T>, { patienceMs, everyMs = EVERY_MS }: Patience): Promise<T | undefined> {
  for (const deadline = performance.now() + patienceMs; ;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (performance.now() > deadline) return undefined;
    await setTimeout(everyMs);
  }
}

/**
 * Waits until `look` finds a value. Fails the test when none comes in time, and names what the test waited for: the
 * given words, or else the code of `look`.
 */
export async function until<T>(
  ...[first, ...more]: [what: string, look: Look<T>, everyMs?: number] | [look: Look<T>]
): Promise<T> {
  const [look, everyMs = EVERY_MS] = typeof first === "string" ? more : [first];
  const found = await lookFor(look as Look<T>, { patienceMs: GIVE_UP_MS, everyMs });
  if (found === undefined) throw new Error(`waited in vain: ${String(first)}`);
  return found;
}
