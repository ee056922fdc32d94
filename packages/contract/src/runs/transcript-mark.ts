import type { HarnessId } from "./harness-names.ts";

/** How a life of a worker ended, in the worker's own word. `crashed` leaves what follows to the daemon. */
export const LIFE_ENDS = ["complete", "failed", "cancelled", "crashed"] as const;
export type LifeEnd = (typeof LIFE_ENDS)[number];

/**
 * A line that a worker adds to its agent's stream: the transcript alone tells what the agent was asked, told and
 * answered, and how the worker ended.
 */
export type TranscriptMark =
  /** A life of the worker begins. */
  | {
      readonly subtype: "started";
      readonly attempt: number;
      readonly harness: HarnessId;
      readonly reason: string | null;
    }
  /** The agent's program is started with this prompt. */
  | { readonly subtype: "prompt"; readonly text: string }
  /** A text for the agent came while it was at work. */
  | { readonly subtype: "told"; readonly text: string; readonly from: string }
  /** A question of the agent was answered. */
  | { readonly subtype: "answered"; readonly approved: boolean; readonly text: string; readonly from: string }
  /** The worker waits for a usage limit to be over; `until` is an ISO time. */
  | { readonly subtype: "resting"; readonly until: string }
  | {
      readonly subtype: "ended";
      readonly result: LifeEnd;
      readonly reason: string;
      readonly tool_calls: number;
      readonly total_tokens: number;
      readonly total_cost_usd: number;
      readonly cost_estimated: boolean;
    }
  /** The agent said more than is kept. */
  | { readonly subtype: "transcript_cut"; readonly reason: string };

/** The `type` of such a line; its `at` is an ISO time. No agent uses that type. */
export const MARK_TYPE = "claw";
