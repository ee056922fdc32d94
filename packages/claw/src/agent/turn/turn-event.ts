import type { ContentBlock, SummaryKind } from "claw-contract";
import type { DeniedCall } from "../permissions/permission.ts";
import type { ModelEvent, ModelUsage } from "../providers/provider.ts";

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
