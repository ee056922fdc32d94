import type { Progress } from "./suite.ts";

/** Does once what is to be timed. */
export type Run = () => Promise<unknown>;

/** Times of one contender, in milliseconds, in the order they were taken. */
export type Timings = readonly number[];

export function median(values: Timings): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

export const fastest = (values: Timings): number => Math.min(...values);

export async function timeMs(run: Run): Promise<number> {
  const startedAt = performance.now();
  await run();
  return performance.now() - startedAt;
}

/**
 * Runs every contender once a round, so that whatever else the machine does falls on all of them alike. Each round
 * begins with another contender, and a first round that fills the caches is not counted.
 */
export async function interleave<Name extends string>(
  contenders: Readonly<Record<Name, Run>>,
  rounds: number,
  progress: Progress,
): Promise<Record<Name, Timings>> {
  const names = Object.keys(contenders) as Name[];
  const timings = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (const name of names) await contenders[name]();
  progress(`measuring ${rounds} rounds of ${names.join(", ")}`);
  for (let round = 0; round < rounds; round += 1) {
    const first = round % names.length;
    for (const name of [...names.slice(first), ...names.slice(0, first)]) {
      timings[name].push(await timeMs(contenders[name]));
    }
  }
  return timings;
}
