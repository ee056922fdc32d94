import type { JsonObject, Redactor } from "claw-contract";
import type { Hooks } from "../hooks/hooks.ts";
import type { Judge } from "../permissions/permission.ts";
import type { Provider } from "../providers/provider.ts";
import type { AnyTool, Preview } from "../tools/tool.ts";
import type { CostOf, TurnSpending } from "./spending.ts";

/** A tool call that needs a decision. */
export interface PermissionQuestion {
  readonly toolUseId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly reason: string;
  readonly preview: Preview | null;
}

/** The answer to a question. */
export type ApprovalDecision = { readonly allow: true } | { readonly allow: false; readonly reason: string };

/**
 * Asks the person or program that may decide on a call. Resolves with the decision; without such a person or program,
 * the decision is no. Rejects with the signal's reason.
 */
export type Approve = (question: PermissionQuestion, signal: AbortSignal) => Promise<ApprovalDecision>;

/** When and how a conversation is compacted. */
export interface CompactionRules {
  /** Tokens of the last request from which on the conversation is compacted. */
  readonly thresholdTokens: number;
  /** How many of the newest messages are kept. */
  readonly keepMessages: number;
}

/** Model, tools, ports and limits of a turn. */
export interface TurnConfig {
  /** Model id as the provider spells it. */
  readonly model: string;
  readonly provider: Provider;
  readonly system: readonly string[];
  readonly maxOutputTokens: number;
  /** Read before each request: the list may change while a turn runs. */
  readonly tools: readonly AnyTool[];
  readonly judge: Judge;
  readonly hooks: Hooks;
  readonly approve: Approve;
  readonly compaction: CompactionRules;
  /** How many requests the turn may send; null is no limit. */
  readonly maxIterations: number | null;
  readonly spending: TurnSpending;
  /** Cost of a request to the model; null without a known price. */
  readonly costOf: CostOf | null;
  /** Masks secrets in stored text and in text for the model. */
  readonly redactor: Redactor;
  readonly now: () => number;
  /** Fields that every hook gets in addition, for example `session_id`. */
  readonly hookFields: JsonObject;
}
