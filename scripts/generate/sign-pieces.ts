import { SIGNS } from "claw-contract/schemas";

/** Pieces of text that occur often, each with a sign. */
export interface Signing {
  readonly pieces: readonly string[];
  /** Puts signs in the places of the pieces. */
  readonly text: (text: string) => string;
}

const SHORTEST = 3;
const LONGEST = 20;

/** Every piece of the parts of texts that hold no sign yet, with how often it occurs. */
function countPieces(parts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const part of parts) {
    for (let from = 0; from < part.length; from += 1) {
      for (let size = SHORTEST; size <= LONGEST && from + size <= part.length; size += 1) {
        const piece = part.slice(from, from + size);
        counts.set(piece, (counts.get(piece) ?? 0) + 1);
      }
    }
  }
  return counts;
}

/** Characters that a sign spares: a piece stands once in the list, in quotes. */
const gainOf = (piece: string, parts: readonly string[]): number =>
  parts.reduce((sum, part) => sum + part.split(piece).length - 1, 0) * (piece.length - 1) - piece.length - 3;

function bestPiece(parts: readonly string[]): string {
  const promising = [...countPieces(parts)]
    .toSorted(([a, many], [b, few]) => few * (b.length - 1) - many * (a.length - 1) || (a < b ? -1 : 1))
    .slice(0, 20);
  const rated = promising.map(([piece]) => ({ piece, gain: gainOf(piece, parts) }));
  return rated.toSorted((left, right) => right.gain - left.gain)[0]?.piece ?? "";
}

/** Chooses the piece that spares most, then the next one in the rest of the texts, until no sign is left. */
export function signPieces(texts: readonly string[]): Signing {
  const pieces: string[] = [];
  for (let parts = [...texts]; pieces.length < SIGNS.length;) {
    const piece = bestPiece(parts);
    pieces.push(piece);
    parts = parts.flatMap((part) => part.split(piece));
  }
  const text = (given: string): string =>
    pieces.reduce((signed, piece, index) => signed.replaceAll(piece, () => SIGNS.charAt(index)), given);
  return { pieces, text };
}
