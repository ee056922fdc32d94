/** A sum a worker reports for one boot. */
export interface ReportedSum {
  /** The sum in use. */
  readonly current: number;
  /** The part of `current` that is not estimated; absent when no part is estimated. */
  readonly sure?: number;
}

/** Cap of every sum. Workers may report any number; a sum must remain a number that can be stored and shown. */
const MOST = Number.MAX_SAFE_INTEGER;

/**
 * The sum after a report. An estimate counts until the agent's figure arrives. The agent's figure replaces the
 * estimate, up or down. The part that is not estimated never falls.
 */
export function nextSum<Sum extends ReportedSum>(last: Sum, amount: number, isEstimate: boolean): Sum {
  const said = Math.min(Math.max(0, amount), MOST);
  const { sure = last.current, ...rest } = last;
  if (isEstimate) return said <= last.current ? last : ({ ...rest, current: said, sure } as Sum);
  const current = Math.max(sure, said);
  return current === last.current && last.sure === undefined ? last : ({ ...rest, current } as Sum);
}

export const isEstimated = ({ sure }: ReportedSum): boolean => sure !== undefined;
