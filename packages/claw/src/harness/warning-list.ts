/** Warnings of one run, so many of them that a person might read them. */
export interface WarningList {
  add(text: string): void;
  /** With a last line about those that were too many. */
  all(): readonly string[];
  /** Whether there were too many. */
  isCut(): boolean;
}

const MAX_WARNINGS = 1000;

export function createWarningList(): WarningList {
  const warnings: string[] = [];
  let more = 0;
  return {
    add(text) {
      if (warnings.length < MAX_WARNINGS) warnings.push(text);
      else more += 1;
    },
    isCut: () => more > 0,
    all: () => (more === 0 ? [...warnings] : [...warnings, `too-many-warnings: ${more} more are not told`]),
  };
}
