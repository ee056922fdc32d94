import type { SessionTotals, VerbOutput } from "claw-contract";
import type { Agent, TurnProgress } from "../../../agent/index.ts";
import type { OpenTurn } from "../../../sessions/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import type { SessionTurn } from "./run-in-session.ts";

type Output = VerbOutput<"prompt">;
type Usage = Output["usage"];

export interface PromptAnswerFacts {
  readonly agent: Agent;
  readonly open: OpenTurn;
  readonly turn: SessionTurn;
  readonly runId: string;
  readonly durationMs: number;
}

const usageOf = (totals: SessionTotals): Usage => ({
  input_tokens: totals.input_tokens,
  output_tokens: totals.output_tokens,
  cache_creation_input_tokens: totals.cache_creation_input_tokens ?? 0,
  cache_read_input_tokens: totals.cache_read_input_tokens ?? 0,
});

/** Dollars as people read them; a model without a price has none. */
export const estimatedCost = (costUsd: number | null): string =>
  costUsd === null ? "unknown" : `$${costUsd.toFixed(4)}`;

/** The four fields of a compact answer. */
export const compactAnswer = ({ agent, turn }: PromptAnswerFacts): Output => ({
  message: turn.progress.message,
  compact: true,
  model: agent.model,
  usage: agent.spending.usage(),
});

/** Fields that only a line of `stream-json` has, where `stop_reason` is the API's word. */
const streamFields = ({ turn, agent }: PromptAnswerFacts): Partial<Output> => ({
  stop_reason: turn.progress.modelStopReason ?? "end_turn",
  ...(turn.stopReason === null ? {} : { turn_stop_reason: turn.stopReason }),
  num_turns: turn.progress.iterations,
  total_cost_usd: agent.spending.costUsd(),
  result: turn.progress.message,
});

const compactionAnswer = ({
  removedMessages,
  notice,
  summaryKind,
  fallbackReason,
}: NonNullable<TurnProgress["compaction"]>): NonNullable<Output["auto_compaction"]> => ({
  removed_messages: removedMessages,
  notice,
  summary_kind: summaryKind,
  fallback_reason: fallbackReason,
});

/** The full answer about a run. */
export function promptAnswer(facts: PromptAnswerFacts, isStream: boolean): Output {
  const { agent, open, turn, runId, durationMs } = facts;
  const { progress, record, stopReason } = turn;
  const { compaction } = progress;
  const costUsd = agent.spending.costUsd();
  // A new session without messages is removed, so the answer does not name the session.
  const isKept = open.isKept();
  return {
    message: progress.message,
    model: agent.model,
    iterations: progress.iterations,
    auto_compaction: compaction === null ? null : compactionAnswer(compaction),
    // A caller that followed the stream already has the calls and results.
    tool_uses: isStream ? [] : record.tool_uses,
    tool_results: isStream ? [] : record.tool_results,
    prompt_cache_events: [...progress.cacheBreaks],
    usage: agent.spending.usage(),
    estimated_cost: estimatedCost(costUsd),
    cost_usd: costUsd,
    session_id: isKept ? open.sessionId : null,
    session_path: isKept ? open.path : null,
    run_id: runId,
    ...(stopReason === null ? {} : { stop_reason: stopReason }),
    cancel_observed: turn.cancelObserved,
    permission_denials: record.permission_denials,
    duration_ms: Math.round(durationMs),
    usage_session: usageOf(turn.totals),
    effect: "updated",
    ...(isStream ? streamFields(facts) : {}),
  };
}

/** Describes a run without asking a model. */
export const promptPreview = (agent: Agent, { cwd }: Ports, runId: string): Output => ({
  message: "",
  model: agent.model,
  usage: agent.spending.usage(),
  session_id: null,
  session_path: null,
  run_id: runId,
  effect: "would_update",
  would_affect: [cwd],
});
