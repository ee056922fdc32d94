/** The reasons already reported for a command. No reason is reported twice in a row, and the number is limited. */
export interface Tellings {
  /** Whether this reason has to be reported now; then the reason counts as reported. */
  take(said: string): boolean;
  /** Forgets all reported reasons, because they no longer hold. */
  forget(): void;
}

export function createTellings(limit: number): Tellings {
  let earlier: readonly string[] = [];
  return {
    take: (said) => {
      if (earlier.at(-1) === said || earlier.length >= limit) return false;
      earlier = [...earlier, said];
      return true;
    },
    forget: () => {
      earlier = [];
    },
  };
}
