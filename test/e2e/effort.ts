const isThorough = process.env["CLAW_SOAK"] !== undefined;

/** How much of something is tried: the first usually, the second when there is time, in `npm run soak`. */
export const effort = (usual: number, thorough: number): number => (isThorough ? thorough : usual);

/** One of so many parts of some cases, chosen by the seed; all of them in `npm run soak`. */
export const part = <T>(cases: readonly T[], parts: number, seed: number): T[] =>
  cases.filter((_, index) => isThorough || (seed + index) % parts === 0);
