/** The versions of a protocol or file format that a build of claw understands. */
export interface VersionRange {
  readonly oldest: number;
  readonly newest: number;
}

/** Versions that this build understands. A number grows with a change that the build before would misunderstand. */
export const VERSIONS = {
  /** Requests and replies between the daemon and the terminal host. */
  terminalHost: { oldest: 1, newest: 1 },
  /** Job file and messages between the daemon and the process of a worker. */
  worker: { oldest: 1, newest: 1 },
  /** Files of the daemon in `.claws`. */
  log: { oldest: 1, newest: 1 },
  /** Files of claw backup. */
  backup: { oldest: 1, newest: 1 },
  /** Settings files. */
  settings: { oldest: 1, newest: 1 },
} as const satisfies Readonly<Record<string, VersionRange>>;

/** The newest version that both sides understand; undefined when they have none in common. */
export function commonVersion(one: VersionRange, other: VersionRange): number | undefined {
  const newest = Math.min(one.newest, other.newest);
  return newest >= one.oldest && newest >= other.oldest ? newest : undefined;
}

const isVersion = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) > 0;

/** The range that the other side names. Builds before the first negotiation name none, and speak version 1. */
export function rangeOf(named: unknown): VersionRange {
  const { oldest, newest } = (named ?? {}) as Partial<Record<keyof VersionRange, unknown>>;
  return isVersion(oldest) && isVersion(newest) && oldest <= newest ? { oldest, newest } : { oldest: 1, newest: 1 };
}

const PRE_RELEASE = /^\d+\.\d+\.\d+-/;

/**
 * Compares two versions of claw, such as 0.2.0: negative when the first is older. A pre-release is older than its
 * release. A text that is no version is older than every version.
 */
export function compareReleases(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => /^(\d+)\.(\d+)\.(\d+)/.exec(text)?.slice(1).map(Number) ?? [-1, -1, -1]);
  const parts = [0, 1, 2].map((index) => (a?.[index] ?? 0) - (b?.[index] ?? 0));
  return (
    parts.find((difference) => difference !== 0) ?? Number(PRE_RELEASE.test(other)) - Number(PRE_RELEASE.test(one))
  );
}
