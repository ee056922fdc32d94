import { createHash } from "node:crypto";
import type { SessionMessage } from "claw-contract";
import type { ModelRequest, ModelUsage } from "../providers/provider.ts";

/** A request that read far fewer tokens from the prompt cache than the request before. */
export interface CacheBreak {
  readonly unexpected: boolean;
  readonly reason: string;
  readonly previous_cache_read_input_tokens: number;
  readonly current_cache_read_input_tokens: number;
  readonly token_drop: number;
}

/** Hashes of the parts of a request that a cache depends on, by name. */
export type RequestPrint = Readonly<Record<string, string>>;

/** Smaller drops are normal at the end of a conversation. */
const MIN_DROP_TOKENS = 2000;
/** How long a provider keeps an unused cache. */
const CACHE_LIFE_MS = 300_000;

const HASH_LENGTH = 16;

const hash = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, HASH_LENGTH);

/**
 * Hashes of the parts of a request that must stay the same for a cache hit. The first message stands for all messages.
 */
export const requestPrintOf = ({ model, system, tools, messages }: ModelRequest): RequestPrint => ({
  model: hash(model),
  system: hash(system),
  tools: hash(tools),
  messages: hash(messages[0]?.blocks ?? []),
});

/** A request that was answered. */
export interface AnsweredRequest {
  readonly print: RequestPrint;
  readonly cacheReadTokens: number;
  readonly atMs: number;
}

/** The last answered request of a stored conversation, where the session recorded one. */
export function lastAnswered(messages: readonly SessionMessage[]): AnsweredRequest | undefined {
  const last = messages.findLast(({ role, request }) => role === "assistant" && request !== undefined);
  if (last?.request === undefined) return undefined;
  return {
    print: last.request,
    cacheReadTokens: last.usage?.cache_read_input_tokens ?? 0,
    atMs: last.timestamp_ms ?? 0,
  };
}

function reasonFor(before: AnsweredRequest, now: AnsweredRequest): { reason: string; unexpected: boolean } {
  const changed = Object.keys(now.print).filter((part) => before.print[part] !== now.print[part]);
  if (changed.length > 0) return { reason: `${changed.join(", ")} changed`, unexpected: false };
  if (now.atMs - before.atMs > CACHE_LIFE_MS) return { reason: "the cache had expired", unexpected: false };
  return { reason: "the provider dropped the cache although nothing changed", unexpected: true };
}

/** The break between two answered requests; undefined when there is none. */
export function findCacheBreak(before: AnsweredRequest | undefined, now: AnsweredRequest): CacheBreak | undefined {
  const drop = (before?.cacheReadTokens ?? 0) - now.cacheReadTokens;
  if (before === undefined || drop < MIN_DROP_TOKENS) return undefined;
  const { reason, unexpected } = reasonFor(before, now);
  return {
    unexpected,
    reason,
    previous_cache_read_input_tokens: before.cacheReadTokens,
    current_cache_read_input_tokens: now.cacheReadTokens,
    token_drop: drop,
  };
}

/** Tokens of a request with the answer, as the provider counted them. */
export const requestSize = (usage: ModelUsage): number =>
  usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens + usage.output_tokens;

/** The same number for the last request of a stored conversation; 0 without a record of usage. */
export function lastRequestSize(messages: readonly SessionMessage[]): number {
  const usage = messages.findLast((message) => message.usage !== undefined)?.usage ?? {};
  const { input_tokens = 0, output_tokens = 0, cache_creation_input_tokens = 0, cache_read_input_tokens = 0 } = usage;
  return input_tokens + cache_creation_input_tokens + cache_read_input_tokens + output_tokens;
}
