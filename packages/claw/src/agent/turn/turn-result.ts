import type { SummaryKind } from "@claw/contract";
import type { ModelUsage } from "../providers/provider.ts";
import type { CacheBreak } from "./cache-watch.ts";

/** What the compactions of a turn came to; who summarised is told of the last one. */
export interface CompactionReport {
  readonly removedMessages: number;
  readonly notice: string;
  readonly summaryKind: SummaryKind;
  readonly fallbackReason: string | null;
}

/** What a turn did, as it went. Filled while it runs, so that a turn that is stopped can say how far it came. */
export interface TurnProgress {
  /** Text of the last message of the model. */
  message: string;
  /** Requests that were answered. */
  iterations: number;
  /** Why the model stopped last, in the words of its API. */
  modelStopReason: string | null;
  compaction: CompactionReport | null;
  readonly cacheBreaks: CacheBreak[];
  /** Of the last answered request and its answer. */
  lastRequestTokens: number;
  usage: ModelUsage;
}
