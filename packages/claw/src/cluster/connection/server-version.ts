type Version = readonly [major: number, minor: number];

/** Since this version, a server gives several messages for one direct read. */
export const BATCHES_SINCE: Version = [2, 11];

/** Since this version, a server that becomes the leader of a stream takes in all that was stored before it stores more. */
export const LEADS_SINCE: Version = [2, 11];

/** Whether a server is older than a version. Compares numbers: as texts, 2.9 is more than 2.11. */
export function isOlder(version: string, [major, minor]: Version): boolean {
  const [ownMajor = 0, ownMinor = 0] = version.split(".").map((part) => Number.parseInt(part, 10) || 0);
  return ownMajor < major || (ownMajor === major && ownMinor < minor);
}
