import type { JsonObject, Redactor } from "@claw/contract";
import type { Hooks } from "../hooks/hooks.ts";
import type { Judge } from "../permissions/permission.ts";
import type { Provider } from "../providers/provider.ts";
import type { AnyTool, Preview } from "../tools/tool.ts";
import type { CostOf, Spending } from "./spending.ts";

/** A call that a person is to decide about. */
export interface Question {
  readonly toolUseId: string;
  readonly tool: string;
  readonly input: unknown;
  readonly reason: string;
  readonly preview: Preview | null;
}

/** What the person said. */
export type Decision = { readonly allow: true } | { readonly allow: false; readonly reason: string };

/**
 * Asks whoever can decide. Resolves with their answer; where nobody can be asked the answer is no. Rejects with the
 * signal's reason.
 */
export type Approve = (question: Question, signal: AbortSignal) => Promise<Decision>;

/** When and how a conversation is compacted. */
export interface CompactionRules {
  /** Size of the last request from which on the next one is made smaller. */
  readonly thresholdTokens: number;
  /** How many of the newest messages are kept. */
  readonly keepMessages: number;
}

/** What a turn works with. */
export interface TurnConfig {
  /** As the provider knows it. */
  readonly model: string;
  readonly provider: Provider;
  readonly system: readonly string[];
  readonly maxOutputTokens: number;
  /** Looked at before each request: they may change while a turn runs. */
  readonly tools: readonly AnyTool[];
  readonly judge: Judge;
  readonly hooks: Hooks;
  readonly approve: Approve;
  readonly compaction: CompactionRules;
  /** How many requests the turn may send; null is no limit. */
  readonly maxIterations: number | null;
  readonly spending: Spending;
  /** What a request to the model costs; null when that is not known. */
  readonly costOf: CostOf | null;
  /** Masks secrets in what is stored and in what goes to the model. */
  readonly redactor: Redactor;
  readonly now: () => number;
  /** What every hook is told besides. */
  readonly hookFields: JsonObject;
}
