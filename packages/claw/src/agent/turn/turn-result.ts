import type { SummaryKind } from "claw-contract";
import type { ModelUsage } from "../providers/provider.ts";
import type { CacheBreak } from "./cache-watch.ts";

/** All compactions of a turn. `summaryKind` and `fallbackReason` describe the last compaction. */
export interface CompactionReport {
  readonly removedMessages: number;
  readonly notice: string;
  readonly summaryKind: SummaryKind;
  readonly fallbackReason: string | null;
}

/** Progress of a turn. The turn fills the object while it runs, so that a stopped turn shows how far it came. */
export interface TurnProgress {
  /** Text of the last message of the model. */
  message: string;
  /** Number of answered requests, including requests for a summary. */
  iterations: number;
  /** Why the model stopped last, in the words of its API. */
  modelStopReason: string | null;
  compaction: CompactionReport | null;
  readonly cacheBreaks: CacheBreak[];
  /** Tokens of the last answered request with its answer; 0 after a compaction. */
  lastRequestTokens: number;
  usage: ModelUsage;
}
