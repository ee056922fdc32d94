/** The reasons already reported for a command. No reason is reported twice in a row, and the number is limited. */
export interface Tellings {
  /** Whether this reason has to be reported now; then the reason counts as reported. */
  take(said: string): boolean;
  /** Forgets all reported reasons, because they no longer hold. */
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
