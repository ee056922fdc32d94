import type { JsonObject } from "claw-contract";
import { roundAmount } from "claw-contract";
import type { SubAgent } from "../voice.ts";
import type { ClaudeSession } from "./claude-session.ts";
import { SUB_AGENT_TYPE } from "./claude-session.ts";

/** What the results of a process add up to. */
export interface PlayedUsage {
  results: number;
  inputTokens: number;
  outputTokens: number;
  costUsd: number;
  readonly subAgents: { spawned: number; background: number; completed: number };
}

export const createPlayedUsage = (): PlayedUsage => ({
  results: 0,
  inputTokens: 0,
  outputTokens: 0,
  costUsd: 0,
  subAgents: { spawned: 0, background: 0, completed: 0 },
});

/** Facts about a turn, used for the result line. */
export interface TurnFacts {
  readonly numTurns: number;
  readonly denials: readonly JsonObject[];
  /** How often the model answered; each answer costs the same. */
  readonly answers: number;
  readonly startedMs: number;
}

export const turnUsage = ({ usage }: ClaudeSession, answers: number): JsonObject => ({
  input_tokens: usage.input_tokens * answers,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: usage.output_tokens * answers,
  output_tokens_details: { thinking_tokens: 0 },
  server_tool_use: { web_search_requests: 0, web_fetch_requests: 0 },
  service_tier: "standard",
  cache_creation: { ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: 0 },
  inference_geo: "",
  iterations: [],
  speed: "standard",
  fallback_credit: null,
});

interface Cost {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly costUsd: number;
}

const modelUsage = (model: string, { inputTokens, outputTokens, costUsd }: Cost): JsonObject => ({
  [model]: {
    inputTokens,
    outputTokens,
    cacheReadInputTokens: 0,
    cacheCreationInputTokens: 0,
    webSearchRequests: 0,
    costUSD: costUsd,
    contextWindow: 1_000_000,
    maxOutputTokens: 128_000,
    thinkingTokens: 0,
    cacheCreationEphemeral5mInputTokens: 0,
    cacheCreationEphemeral1hInputTokens: 0,
    canonicalModel: model,
    provider: "firstParty",
    costBasis: "list",
  },
});

const subAgentStats = ({ spawned, background, completed }: PlayedUsage["subAgents"]): JsonObject => ({
  spawned,
  requested: { background, foreground: spawned - background, unset: 0 },
  started_in_background: background,
  max_depth: spawned === 0 ? 0 : 1,
  spawned_by_subagents: 0,
  completed,
  failed: 0,
  killed: { parent: 0, user: 0, system: 0 },
  refused: { depth_limit: 0, concurrency_limit: 0, budget: 0 },
  by_type: spawned === 0 ? {} : { [SUB_AGENT_TYPE]: spawned },
});

/** What is the same in every result; adds the turn to the tally. */
function resultBase(session: ClaudeSession, tally: PlayedUsage, facts: TurnFacts): JsonObject {
  const { usage, model, stage } = session;
  const { answers } = facts;
  const cost = {
    inputTokens: usage.input_tokens * answers,
    outputTokens: usage.output_tokens * answers,
    costUsd: roundAmount(usage.cost_usd * answers),
  };
  tally.inputTokens += cost.inputTokens;
  tally.outputTokens += cost.outputTokens;
  tally.costUsd = roundAmount(tally.costUsd + cost.costUsd);
  const durationMs = stage.now().getTime() - facts.startedMs;
  tally.results += 1;
  return {
    duration_api_ms: answers > 0 ? durationMs : 0,
    duration_ms: durationMs,
    ...session.stamp(),
    total_cost_usd: tally.costUsd,
    usage: turnUsage(session, answers),
    modelUsage: tally.inputTokens + tally.outputTokens === 0 ? {} : modelUsage(model, tally),
    permission_denials: facts.denials,
    fast_mode_state: "off",
    fast_mode_disabled_reason: "sdk_opt_in_required",
    subagent_stats: subAgentStats(tally.subAgents),
    safety_stops: 0,
    num_turns: facts.numTurns,
    type: "result",
    queued_turn_count: 0,
    result_index: tally.results - 1,
    model_usage_since_last_result: answers > 0 ? modelUsage(model, cost) : {},
  };
}

/** The result of a turn that ended by itself; `about` made the CLI begin it. */
export function successLine(
  session: ClaudeSession,
  tally: PlayedUsage,
  facts: TurnFacts & { readonly text: string; readonly about?: SubAgent | undefined },
): JsonObject {
  const { text, about } = facts;
  const origin =
    about === undefined ? {} : { origin: { kind: "task-notification", producer: "session-task", runId: about.runId } };
  return {
    ...resultBase(session, tally, facts),
    ...origin,
    subtype: "success",
    is_error: false,
    stop_reason: "end_turn",
    terminal_reason: "completed",
    api_error_status: null,
    result: text,
    ttft_ms: 1,
    ttft_stream_ms: 1,
    time_to_request_ms: 1,
    first_content_frame_ms: 1,
  };
}

/** The result of a turn that the model refused; it is called a success all the same. */
export function refusalLine(
  session: ClaudeSession,
  tally: PlayedUsage,
  facts: TurnFacts & { readonly text: string; readonly status: number; readonly type: string },
): JsonObject {
  return {
    ...resultBase(session, tally, facts),
    subtype: "success",
    is_error: true,
    stop_reason: "stop_sequence",
    terminal_reason: "api_error",
    api_error_status: facts.status,
    api_error_type: facts.type,
    result: facts.text,
  };
}

/** The result of a turn that was ended from outside. It has no text. */
export function stoppedLine(
  session: ClaudeSession,
  tally: PlayedUsage,
  facts: TurnFacts & { readonly subtype: string; readonly reason: string; readonly error: string },
): JsonObject {
  return {
    ...resultBase(session, tally, facts),
    subtype: facts.subtype,
    is_error: true,
    stop_reason: facts.answers > 0 ? "tool_use" : null,
    terminal_reason: facts.reason,
    errors: [facts.error],
  };
}
