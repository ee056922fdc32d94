/** Chance that can be repeated. */
export interface Random {
  readonly seed: number;
  /** A whole number from 0 up to, and without, the given one. */
  below(limit: number): number;
  pick<T>(choices: readonly T[]): T;
}

/** The seed a failed run named, or any. */
export const chooseSeed = (): number => Number(process.env["CLAW_SEED"] ?? Math.floor(Math.random() * 2 ** 31));

/** Mulberry32: small, and good enough to choose moments. */
export function createRandom(seed: number): Random {
  let state = seed;
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * limit);
  };
  return {
    seed,
    below,
    pick: (choices) => {
      const choice = choices[below(choices.length)];
      if (choice === undefined) throw new Error("nothing to choose from");
      return choice;
    },
  };
}
