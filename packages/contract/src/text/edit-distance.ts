/** Longest word that is compared; a longer word has no near candidates. */
export const MAX_COMPARED_CHARS = 64;
/** Share of a word's length that may be mistyped. */
export const MAX_TYPO_SHARE = 0.4;
/** Shortest word that counts as the beginning of a longer one. */
export const MIN_PREFIX_CHARS = 3;

const PREFIX_BONUS = 0.2;

export interface NearestOptions {
  /** At most so many candidates are returned. */
  readonly limit: number;
}

/**
 * The candidates a mistyped word most likely meant, best first, equals in their given order, each once. Case does not
 * matter. Nothing is returned that differs in more than a share of the word's length, unless the word is its beginning.
 */
export function nearest(word: string, candidates: Iterable<string>, { limit }: NearestOptions): string[] {
  if (word === "" || word.length > MAX_COMPARED_CHARS || !(limit > 0)) return [];
  const typed = word.toLowerCase();
  const scored: { candidate: string; score: number }[] = [];
  for (const candidate of new Set(candidates)) {
    const score = scoreOf(typed, candidate.toLowerCase());
    if (score !== undefined) scored.push({ candidate, score });
  }
  return scored
    .sort((left, right) => left.score - right.score)
    .slice(0, limit)
    .map(({ candidate }) => candidate);
}

/**
 * Letters inserted, dropped, replaced, or swapped with their neighbour between two words; no letter is touched twice.
 * Takes time in proportion to the product of both lengths.
 */
export function editDistance(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      const swapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current.push(
        Math.min(
          at(current, column - 1) + 1,
          at(last, column) + 1,
          at(last, column - 1) + (same ? 0 : 1),
          swapped ? at(beforeLast, column - 2) + 1 : Infinity,
        ),
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, right.length);
}

/** Lower is nearer; undefined is too far. Beginning alike counts a little: people rarely mistype the first letters. */
function scoreOf(typed: string, candidate: string): number | undefined {
  if (candidate.length > MAX_COMPARED_CHARS) return undefined;
  const allowed = typed.length < 2 ? 0 : Math.max(1, Math.floor(typed.length * MAX_TYPO_SHARE));
  const isBeginning = typed.length >= MIN_PREFIX_CHARS && candidate.startsWith(typed);
  if (!isBeginning && Math.abs(typed.length - candidate.length) > allowed) return undefined;
  const distance = isBeginning ? 1 : editDistance(typed, candidate);
  if (distance > allowed) return undefined;
  return typed === candidate ? -Infinity : distance - PREFIX_BONUS * Math.min(4, sharedStart(typed, candidate));
}

function sharedStart(left: string, right: string): number {
  let length = 0;
  while (length < left.length && left[length] === right[length]) length += 1;
  return length;
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
