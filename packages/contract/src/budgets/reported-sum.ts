/** A sum that a worker reports of one boot. */
export interface ReportedSum {
  /** What counts. */
  readonly current: number;
  /** What of it is no estimate; all of it when this is absent. */
  readonly sure?: number;
}

/** Sums stay numbers that can be stored and shown, whatever workers say. */
const MOST = Number.MAX_SAFE_INTEGER;

/**
 * The sum after a report. An estimate counts until the agent's own figure is there, which replaces it, up or down. What
 * was no estimate never falls.
 */
export function nextSum<Sum extends ReportedSum>(last: Sum, amount: number, isEstimate: boolean): Sum {
  const said = Math.min(Math.max(0, amount), MOST);
  const { sure = last.current, ...rest } = last;
  if (isEstimate) return said <= last.current ? last : ({ ...rest, current: said, sure } as Sum);
  const current = Math.max(sure, said);
  return current === last.current && last.sure === undefined ? last : ({ ...rest, current } as Sum);
}

export const isEstimated = ({ sure }: ReportedSum): boolean => sure !== undefined;
