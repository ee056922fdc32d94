import type { ContentBlock, SummaryKind } from "claw-contract";
import type { DeniedCall } from "../permissions/permission.ts";
import type { ModelEvent, ModelUsage } from "../providers/provider.ts";
import type { CacheBreak } from "./cache-watch.ts";

type Happening =
  | { readonly kind: "model"; readonly event: ModelEvent }
  /** A whole message of the model. */
  | {
      readonly kind: "assistant";
      readonly blocks: readonly ContentBlock[];
      readonly stopReason: string | null;
      readonly usage: ModelUsage;
    }
  | { readonly kind: "tool-started"; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly kind: "tool-progress"; readonly id: string; readonly text: string }
  | {
      readonly kind: "tool-result";
      readonly id: string;
      readonly name: string;
      readonly output: string;
      readonly isError: boolean;
    }
  | { readonly kind: "denied"; readonly denial: DeniedCall }
  /** The conversation is being summarised, for which the model may be asked. */
  | { readonly kind: "compacting" }
  | {
      readonly kind: "compacted";
      readonly removedMessages: number;
      readonly notice: string;
      readonly summaryKind: SummaryKind;
      /** Why the model did not write the summary; null when it did. */
      readonly fallbackReason: string | null;
    }
  /** A message for people that is not part of the answer. */
  | { readonly kind: "notice"; readonly text: string };

/** An event of a turn, emitted in order. `agent` marks an event of a sub-agent: the id of the call that started it. */
export type TurnEvent = Happening & { readonly agent?: string };

/** All compactions of a turn. `summaryKind` and `fallbackReason` describe the last compaction. */
interface CompactionReport {
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
