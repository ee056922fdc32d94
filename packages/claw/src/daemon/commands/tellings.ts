/** What has been told of one thing, so that nothing is told twice in a row, nor without end. */
export interface Tellings {
  /** Whether this is to be told now; then it counts as told. */
  take(said: string): boolean;
  /** Begins anew: what was told before is true no longer. */
  forget(): void;
}

export function createTellings(limit: number): Tellings {
  let told: readonly string[] = [];
  return {
    take: (said) => {
      if (told.at(-1) === said || told.length >= limit) return false;
      told = [...told, said];
      return true;
    },
    forget: () => {
      told = [];
    },
  };
}
