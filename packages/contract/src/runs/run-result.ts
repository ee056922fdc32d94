import * as z from "zod";
import { ERROR_CATEGORIES, HARNESS_IDS } from "./harness-names.ts";
import { Count } from "../verb/output-parts.ts";

/** Agents report odd numbers now and then; they are passed on as whole ones, also below zero. */
const Tokens = z.int();

const AgentEvent = z.record(z.string(), z.unknown());

const outcome = {
  output: z.string().describe("Text of the agent itself, its parts joined by a newline."),
  subagent_output: z.string().describe("Text of its sub-agents, in the order it came."),
  exit_code: z.int().describe("Of the process; -1 when it was ended or never started, -N when signal N ended it."),
  signal: z.string().nullable().describe("Name of the signal that ended the process."),
  error: z.string().nullable().describe("What went wrong, for people; at most 4096 characters of it."),
  error_category: z.enum(ERROR_CATEGORIES).nullable().describe("Why the run failed or is doubtful."),
  api_error_status: z.int().nullable().describe("HTTP status of the model's refusal, where the agent names it."),
  api_unavailable: z
    .boolean()
    .describe(
      "Whether the model could not be reached, failed or was overloaded, so that the same call may succeed later.",
    ),
  terminal_reason: z.string().nullable().describe("Why the agent stopped, in its own word."),
  stop_reason: z.string().nullable().describe("Why the model stopped: end_turn, tool_use, max_tokens, …"),
  succeeded: z.boolean().describe("Exit 0 and output that is not blank."),
  succeeded_cleanly: z.boolean().describe("Succeeded without an error, a heuristic's doubt or a refused permission."),
};

const identity = {
  harness: z.enum(HARNESS_IDS),
  session_id: z.string().nullable().describe("The agent's own id of the conversation."),
  model: z.string().nullable().describe("The model the agent says it uses, else the one asked for."),
  api_key_source: z.string().nullable().describe("Which kind of credentials was used: a label, never a secret."),
  metadata: z.record(z.string(), z.unknown()).describe("What only this harness knows."),
};

const consumption = {
  num_turns: z.int().nullable(),
  input_tokens: Tokens.describe("Not counting what came from the cache."),
  output_tokens: Tokens,
  cache_read_input_tokens: Tokens,
  cache_creation_input_tokens: Tokens,
  usage_partial: z
    .boolean()
    .describe("Whether the counts are what was seen of a run that was cut; the agent told no total."),
  cost_usd: z.number().nullable().describe("As the agent reports it, or estimated; null when its model has no price."),
  cost_estimated: z
    .boolean()
    .optional()
    .describe("True where the cost follows from tokens and prices. Absent where the agent reports it."),
  duration_seconds: z.number(),
};

const record = {
  permission_denials: z.array(AgentEvent).describe("Tool calls the agent was not allowed to make."),
  warnings: z.array(z.string()),
  diagnostics: z.array(z.string()).describe("What text mode says on stderr, without its prefix."),
  raw_messages: z
    .array(AgentEvent)
    .describe("Every object of the stream, up to a limit; empty when they were printed one by one."),
  stream_events: z
    .array(AgentEvent)
    .describe("Those that are events, up to a limit; empty when they were printed one by one."),
  raw_messages_count: Count.describe("How many there were."),
  stream_events_count: Count.describe("How many there were."),
  raw_messages_path: z.string().optional().describe("File with all of them, when the array has not."),
  stream_events_path: z.string().optional().describe("File with all of them, when the array has not."),
  truncated: z.boolean().describe("Whether a limit took something from output or arrays."),
};

/** What a run of an agent came to. */
export const RunResult = z.object({ ...outcome, ...identity, ...consumption, ...record });

export type RunResult = z.infer<typeof RunResult>;

/** The same as `run` answers: its events are left out unless they were asked for. */
export const RunAnswer = RunResult.partial({ raw_messages: true, stream_events: true });

export type RunAnswer = z.infer<typeof RunAnswer>;
