import { median } from "../measure.ts";
import { SIZES } from "./sizes.ts";

/** Something that is measured beside others. */
export interface Contender<Result> {
  readonly name: string;
  measure(): Promise<Result>;
}

/** What each contender gave, round by round. */
export type Results<Result> = ReadonlyMap<string, readonly Result[]>;

/** Every contender once a round, each round beginning with another; a first round is not counted. */
export async function inRounds<Result>(contenders: readonly Contender<Result>[]): Promise<Results<Result>> {
  const results = new Map<string, Result[]>(contenders.map(({ name }) => [name, []]));
  for (const contender of contenders) await contender.measure();
  for (let round = 0; round < SIZES.rounds; round += 1) {
    const first = round % contenders.length;
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      results.get(contender.name)?.push(await contender.measure());
    }
  }
  return results;
}

export const medianOf = <Result>(results: Results<Result>, name: string, valueOf: (result: Result) => number): number =>
  median((results.get(name) ?? []).map(valueOf));

/** Median of the quotients of each round: what slows a round down slows both of its parts. */
export function against<Result>(
  results: Results<Result>,
  [name, base]: readonly [string, string],
  valueOf: (result: Result) => number,
): number {
  const bare = (results.get(base) ?? []).map(valueOf);
  const own = (results.get(name) ?? []).map(valueOf);
  return median(own.map((value, round) => value / (bare[round] ?? Number.NaN)));
}
