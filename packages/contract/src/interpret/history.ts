import { isObject } from "../json.ts";

/** Entries a history keeps of each sort; the oldest are forgotten first. */
export const MAX_HISTORY_ENTRIES = 500;

export interface RetryCount {
  readonly command: string;
  readonly code: string;
  readonly count: number;
}

export interface RememberedRedirect {
  readonly from: string;
  readonly to: string;
  readonly reason?: string;
}

/** The commands that were redirected one after another and led to `command`. */
export interface RedirectTrail {
  readonly command: string;
  readonly via: readonly string[];
}

/** A call with a deprecation warning: the call works today and will stop working. */
export interface Deprecation {
  readonly command: string;
  readonly warning: string;
}

/** Facts from earlier answers. Plain data that survives a round trip through JSON; each list runs from old to new. */
export interface ResponseHistory {
  readonly retries: readonly RetryCount[];
  /** Commands whose credentials were refreshed since the last success of the command. */
  readonly refreshes: readonly string[];
  /** Permanent redirects only. */
  readonly redirects: readonly RememberedRedirect[];
  readonly trails: readonly RedirectTrail[];
  readonly deprecations: readonly Deprecation[];
}

export const EMPTY_HISTORY: ResponseHistory = {
  retries: [],
  refreshes: [],
  redirects: [],
  trails: [],
  deprecations: [],
};

/** Reads a history that may be absent, old or damaged: keeps every well-formed entry, drops the rest, never throws. */
export function readHistory(stored: unknown): ResponseHistory {
  if (!isObject(stored)) return EMPTY_HISTORY;
  return {
    retries: entries(stored["retries"], readRetry),
    refreshes: entries(stored["refreshes"], (entry) => (typeof entry === "string" ? entry : undefined)),
    redirects: entries(stored["redirects"], readRedirect),
    trails: entries(stored["trails"], readTrail),
    deprecations: entries(stored["deprecations"], readDeprecation),
  };
}

function entries<Entry>(list: unknown, read: (entry: unknown) => Entry | undefined): Entry[] {
  if (!Array.isArray(list)) return [];
  return list
    .slice(-MAX_HISTORY_ENTRIES)
    .map(read)
    .filter((entry) => entry !== undefined);
}

function readRetry(entry: unknown): RetryCount | undefined {
  if (!isObject(entry)) return undefined;
  const { command, code, count } = entry;
  if (typeof command !== "string" || typeof code !== "string") return undefined;
  return typeof count === "number" && Number.isSafeInteger(count) && count > 0 ? { command, code, count } : undefined;
}

function readRedirect(entry: unknown): RememberedRedirect | undefined {
  if (!isObject(entry)) return undefined;
  const { from, to, reason } = entry;
  if (typeof from !== "string" || typeof to !== "string" || to.trim() === "") return undefined;
  return typeof reason === "string" ? { from, to, reason } : { from, to };
}

function readTrail(entry: unknown): RedirectTrail | undefined {
  if (!isObject(entry)) return undefined;
  const { command, via } = entry;
  if (typeof command !== "string" || !Array.isArray(via)) return undefined;
  const steps = via.filter((step) => typeof step === "string").slice(-MAX_HISTORY_ENTRIES);
  return steps.length === 0 ? undefined : { command, via: steps };
}

function readDeprecation(entry: unknown): Deprecation | undefined {
  if (!isObject(entry)) return undefined;
  const { command, warning } = entry;
  return typeof command === "string" && typeof warning === "string" ? { command, warning } : undefined;
}
