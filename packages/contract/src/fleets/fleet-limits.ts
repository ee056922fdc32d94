/** The bounds of fleets that are described by a file. Units are in the names. */
export const FLEET_LIMITS = {
  fileBytes: 256 * 1024,
  workers: 200,
  /** Workers that run at a time by default. */
  concurrency: 4,
  /** Most uses of YAML aliases in a file. Unlimited aliases could expand without bound. */
  aliases: 100,
  /** Deepest nesting of a fleet file. Deeper nesting could overflow the stack. */
  depth: 100,
  /** Most problems of a file in one answer. */
  problems: 50,
} as const;
