const LIMITS_REACHED: ReadonlyMap<string, string> = new Map([
  ["max_turns", "turns"],
  ["budget_exhausted", "money"],
]);

/** What a run had used up when it stopped, by its `terminal_reason`: a limit the caller set. Undefined for other ends. */
export const limitReached = (terminalReason: string | null): string | undefined =>
  LIMITS_REACHED.get(terminalReason ?? "");
