import type { Results } from "../bus/rounds.ts";
import { against, medianOf } from "../bus/rounds.ts";
import type { Bar, Row } from "../suite.ts";
import { row } from "../suite.ts";

/** A figure that was measured at several sizes. */
export interface Growth<Result> {
  readonly plot: string;
  /** What there is more and more of. */
  readonly counts: string;
  readonly figure: string;
  readonly unit: string;
  readonly sizes: readonly number[];
  readonly valueOf: (result: Result) => number;
  /** Holds for the largest size, against the smallest. */
  readonly bar?: Bar;
}

export const contenderName = (size: number): string => String(size);

const grouped = (count: number): string => count.toLocaleString("en");

/** The figure at the smallest size, then at each size as a multiple of it: the median of paired rounds. */
export function growthRows<Result>(results: Results<Result>, growth: Growth<Result>): Row[] {
  const { plot, counts, figure, unit, sizes, valueOf, bar } = growth;
  const [smallest = 0] = sizes;
  const base = contenderName(smallest);
  const multiples = sizes.map((size) => ({
    ...row(
      `${figure}, ${grouped(size)} ${counts}`,
      against(results, [contenderName(size), base], valueOf),
      `× at ${grouped(smallest)}`,
      size === sizes.at(-1) ? bar : undefined,
    ),
    point: { plot, counts, line: figure, x: size },
  }));
  return [row(`${figure}, ${grouped(smallest)} ${counts}`, medianOf(results, base, valueOf), unit), ...multiples];
}
