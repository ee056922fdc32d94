import type { ErrorCategory } from "claw-contract";

/**
 * Words that tell why an agent failed. All lower case, looked for anywhere in the text. A status code counts as a whole
 * number only: the 429 in "request 1742938" says nothing.
 */
export interface FailureWords {
  readonly rateLimit: readonly string[];
  readonly auth: readonly string[];
  /** Words of a model that is out of reach, fails or is overloaded. */
  readonly unavailable: readonly string[];
}

const SERVER_ERRORS = ["500", "502", "503", "504", "529"];

export const CLAUDE_WORDS: FailureWords = {
  rateLimit: ["429", "rate limit", "rate-limit"],
  auth: ["401", "403", "unauthorized", "authentication", "auth error", "anthropic_api_key"],
  unavailable: [
    ...SERVER_ERRORS,
    "overloaded",
    "econnre",
    "connection error",
    "connection to the api was lost",
    "request timed out",
  ],
};

export const CODEX_WORDS: FailureWords = {
  rateLimit: ["rate limit", "rate-limit", "quota", "429", "usage limit"],
  auth: [
    "401",
    "403",
    "unauthorized",
    "openai_api_key",
    "invalid api key",
    "not supported when using codex with a chatgpt account",
  ],
  unavailable: [
    ...SERVER_ERRORS,
    "high demand",
    "at capacity",
    "stream disconnected before completion",
    "error sending request",
  ],
};

/** Whether a number stands in a text by itself: not within a longer one, and not as a part of a decimal. */
const hasNumber = (text: string, number: string): boolean =>
  new RegExp(`(?<!\\d|\\d[.,])${number}(?!\\d|[.,]\\d)`).test(text);

const hasWord = (text: string, word: string): boolean =>
  /^\d+$/.test(word) ? hasNumber(text, word) : text.includes(word);

/**
 * Category of a failure that is known only by its text. Rate-limit words are checked first, since words of both kinds
 * may be in the text.
 */
export function categoryOfText(text: string, { rateLimit, auth }: FailureWords): ErrorCategory {
  const lower = text.toLowerCase();
  if (rateLimit.some((word) => hasWord(lower, word))) return "rate_limit";
  return auth.some((word) => hasWord(lower, word)) ? "auth" : "api";
}

const FIRST_SERVER_ERROR = 500;

/** Category of a failure whose HTTP status the agent names. */
export function categoryOfStatus(status: number): ErrorCategory {
  if (status === 429) return "rate_limit";
  return status === 401 || status === 403 ? "auth" : "api";
}

/** Whether a failure tells of a model that is out of reach: its status says so, or without one the text. */
export function saysUnavailable(text: string, status: number | null, { unavailable }: FailureWords): boolean {
  if (status !== null) return status >= FIRST_SERVER_ERROR;
  const lower = text.toLowerCase();
  return unavailable.some((word) => hasWord(lower, word));
}

/** The HTTP status in an error text of Codex. */
export function statusInText(text: string): number | null {
  const match = /(?:\bunexpected status|\blast status:) (\d{3})\b/.exec(text);
  return match === null ? null : Number(match[1]);
}

/** A notice that the connection is being tried again, which Codex writes as an error. */
export function readRetryNotice(text: string): { readonly attempt: number; readonly maxAttempts: number } | null {
  const match = /^Reconnecting\.\.\. (\d+)\/(\d+)/.exec(text);
  return match === null ? null : { attempt: Number(match[1]), maxAttempts: Number(match[2]) };
}

const WAITING = /\b(waiting on|still waiting|continuing|in progress|in the background)\b/i;

/** Whether an agent that reports no tasks speaks of work that goes on. */
export const saysWaiting = (text: string): boolean => WAITING.test(text);
