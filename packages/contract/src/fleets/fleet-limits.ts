/** The bounds of fleets that are described by a file. Units are in the names. */
export const FLEET_LIMITS = {
  fileBytes: 256 * 1024,
  workers: 200,
  /** How many of them run at a time unless told otherwise. */
  concurrency: 4,
  /** How often parts of a file may be repeated by naming them; more of it would grow without bound. */
  aliases: 100,
  /** Steps from its root to its innermost part; reading deeper ones would need more stack than there is. */
  depth: 100,
  /** Problems of a file that are told at once. */
  problems: 50,
} as const;
