import * as z from "zod";
import {
  AGENT_ERRORS,
  agentFlags,
  RESUME_ERRORS,
  PermissionDenial,
  PromptCacheEvent,
  ToolResult,
  ToolUse,
  TurnStopReason,
  Usage,
} from "../../sessions/turn-output.ts";
import { FallbackReason, SummaryKind } from "../../sessions/session-record.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count, MutationEffect, SessionRef, WouldAffect } from "../../verb/output-parts.ts";

const input = z.object({
  prompt: z
    .string()
    .optional()
    .describe(
      "What the agent is to do; read from standard input without it or with -. Piped text beside it is its context.",
    )
    .meta({ positional: 0 }),
  compact: z.boolean().default(false).describe("Answer with the final text only."),
  ...agentFlags,
  maxTurns: z.int().min(1).optional().describe("How many requests may be sent to the model."),
  resume: SessionRef.optional().describe("Session to go on with: an id, its file, or latest."),
  continue: z.boolean().default(false).describe("Go on with the newest session.").meta({ short: "c" }),
  inputFormat: z
    .enum(["text", "stream-json"])
    .default("text")
    .describe("With stream-json the prompt is the first user message on standard input, a line of JSON."),
  includePartialMessages: z
    .boolean()
    .default(false)
    .describe("In stream-json: also tell of messages while they are being written, in lines stream_event."),
  permissionPromptTool: z
    .enum(["stdio"])
    .optional()
    .describe("Ask the program that runs claw, in lines of JSON on stdout and stdin, instead of denying."),
  fork: z.boolean().default(false).describe("Leave the resumed session alone and go on in a copy of it."),
});

const answerFields = {
  message: z.string().describe("Final text of the assistant."),
  model: z.string(),
  usage: Usage.describe("Of this run."),
  compact: z.literal(true).optional().describe("Set by --compact, which leaves out everything below."),
};

const details = z.object({
  iterations: Count.describe("Requests the model answered."),
  auto_compaction: z
    .object({
      removed_messages: Count,
      notice: z.string(),
      summary_kind: SummaryKind,
      fallback_reason: FallbackReason.nullable(),
    })
    .nullable(),
  tool_uses: z.array(ToolUse),
  tool_results: z.array(ToolResult),
  prompt_cache_events: z.array(PromptCacheEvent),
  estimated_cost: z.string().describe("Dollars with four decimals, or unknown."),
  cost_usd: z.number().nullable(),
  session_id: z.string().nullable().describe("Null when no session was kept: nothing was said in it."),
  session_path: z.string().nullable(),
  run_id: z.string(),
  stop_reason: z.string().describe("One of five; in stream-json, why the model stopped in the words of its API."),
  turn_stop_reason: TurnStopReason.optional().describe("In stream-json: one of the five."),
  num_turns: Count.optional().describe("In stream-json: the same as iterations."),
  total_cost_usd: z.number().nullable().optional().describe("In stream-json: the same as cost_usd."),
  result: z.string().optional().describe("In stream-json: the same as message."),
  cancel_observed: z.boolean(),
  permission_denials: z.array(PermissionDenial),
  duration_ms: Count,
  usage_session: Usage.describe("Of the whole session, this run included."),
  effect: MutationEffect.describe("A run may change anything its permissions let it."),
  would_affect: WouldAffect,
});

export const prompt = defineVerb({
  name: "prompt",
  group: "ask",
  summary: "Let claw's own agent work on a prompt. The same as -p.",
  input,
  output: z.object({ ...answerFields, ...details.partial().shape }),
  stream: z.looseObject({ type: z.string() }),
  errors: [...AGENT_ERRORS, ...RESUME_ERRORS, "COMMAND_NOT_FOUND"],
  effect: "write",
  unlimited: true,
  bulky: true,
  examples: [
    { description: "Without a key, to see how it answers", command: 'claw -p "hello" --model scripted' },
    {
      description: "In CI: read only, at most ten requests",
      command: "claw -p review --permission-mode read-only --max-turns 10",
    },
    { description: "Ask about what is piped in", command: 'echo "line 7: boom" | claw -p "what broke?"' },
    { description: "Go on where the last one ended", command: 'claw -p "and now the tests" --continue' },
  ],
});
