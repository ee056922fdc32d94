import type { Random } from "../reliability/random.ts";

/** Names and numbers that nobody can know before; none comes twice. */
export interface Vocabulary {
  word(): string;
  /** Of two digits. */
  number(): number;
  /** From 0 up to, and without, the given one. */
  below(limit: number): number;
}

/** Letters that make no words of JavaScript. */
const CONSONANTS = Array.from("bdfgkmpz");
const VOWELS = Array.from("aeiou");

export function createVocabulary(random: Random): Vocabulary {
  const known = new Set<string | number>();
  const fresh = <T extends string | number>(make: () => T): T => {
    const value = make();
    if (known.has(value)) return fresh(make);
    known.add(value);
    return value;
  };
  const syllable = (): string => random.pick(CONSONANTS) + random.pick(VOWELS);
  return {
    word: () => fresh(() => syllable() + syllable() + syllable()),
    number: () => fresh(() => 10 + random.below(90)),
    below: (limit) => random.below(limit),
  };
}
