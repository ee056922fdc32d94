/** Limits of the page in the browser and of the way to the page. Part of `LIMITS`. */
export const PAGE_LIMITS = {
  /** How long the one-time code in a link to the page is valid. */
  pageCodeMs: 10 * 60_000,
  /** Codes that are remembered, used ones included; the oldest are forgotten first. */
  pageCodes: 100,
  /** Wrong codes in a minute; further wrong codes are answered without a reason. */
  pageWrongCodes: 10,
  /** Default lifetime of a browser's session. */
  pageSessionMs: 30 * 24 * 60 * 60_000,
  /** How long the page's address stays open after the last session and the last code have ended. */
  pageLingerMs: 10 * 60_000,
  /** Addresses at which the page is served at the same time. */
  pageAddresses: 8,
} as const;
