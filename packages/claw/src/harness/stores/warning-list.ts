/** The warnings of one run, limited to a number that a person might read. */
export interface WarningList {
  add(text: string): void;
  /** The warnings. When some were dropped, a last line tells how many. */
  all(): readonly string[];
  /** Whether warnings were dropped. */
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
