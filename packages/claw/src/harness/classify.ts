import type { ErrorCategory } from "@claw/contract";

/**
 * Words that tell why an agent failed. All lower case, looked for anywhere in the text. A status code counts as a whole
 * number only: the 429 in "request 1742938" says nothing.
 */
export interface FailureWords {
  readonly rateLimit: readonly string[];
  readonly auth: readonly string[];
}

export const CLAUDE_WORDS: FailureWords = {
  rateLimit: ["429", "rate limit", "rate-limit"],
  auth: ["401", "403", "unauthorized", "authentication", "auth error", "anthropic_api_key"],
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
};

/** Whether a number stands in a text by itself: not within a longer one, and not as a part of a decimal. */
const hasNumber = (text: string, number: string): boolean =>
  new RegExp(`(?<!\\d|\\d[.,])${number}(?!\\d|[.,]\\d)`).test(text);

const hasWord = (text: string, word: string): boolean =>
  /^\d+$/.test(word) ? hasNumber(text, word) : text.includes(word);

/** For an agent that leaves nothing but a text. A limit is looked for first, since both words may stand there. */
export function categoryOfText(text: string, { rateLimit, auth }: FailureWords): ErrorCategory {
  const lower = text.toLowerCase();
  if (rateLimit.some((word) => hasWord(lower, word))) return "rate_limit";
  return auth.some((word) => hasWord(lower, word)) ? "auth" : "api";
}

/** For an agent that names the HTTP status of the refusal. */
export function categoryOfStatus(status: number): ErrorCategory {
  if (status === 429) return "rate_limit";
  return status === 401 || status === 403 ? "auth" : "api";
}

/** A notice that the connection is being tried again, which Codex writes as an error. */
export function readRetryNotice(text: string): { readonly attempt: number; readonly maxAttempts: number } | null {
  const match = /^Reconnecting\.\.\. (\d+)\/(\d+)/.exec(text);
  return match === null ? null : { attempt: Number(match[1]), maxAttempts: Number(match[2]) };
}

const WAITING = /\b(waiting on|still waiting|continuing|in progress|in the background)\b/i;

/** Whether an agent that reports no tasks speaks of work that goes on. */
export const saysWaiting = (text: string): boolean => WAITING.test(text);
