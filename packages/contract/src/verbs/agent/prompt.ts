import * as z from "zod";
import {
  AGENT_ERRORS,
  agentFlags,
  RESUME_ERRORS,
  PermissionDenial,
  PromptCacheEvent,
  ToolResult,
  ToolUse,
  StopReason,
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
      "Task for the agent; without it, or with -, standard input is read. With it, piped text is added as context.",
    )
    .meta({ positional: 0 }),
  compact: z.boolean().default(false).describe("Answer with the final text only."),
  ...agentFlags,
  maxTurns: z.int().min(1).optional().describe("Most requests to send to the model."),
  resume: SessionRef.optional().describe("Session to continue: an id, its file, or latest."),
  continue: z.boolean().default(false).describe("Continue the newest session.").meta({ short: "c" }),
  inputFormat: z
    .enum(["text", "stream-json"])
    .default("text")
    .describe("With stream-json, the prompt is the first user message on standard input: one line of JSON."),
  includePartialMessages: z
    .boolean()
    .default(false)
    .describe("In stream-json: also print parts of unfinished messages, as stream_event lines."),
  permissionPromptTool: z
    .enum(["stdio"])
    .optional()
    .describe("Ask the program that started claw, in lines of JSON on stdout and stdin, instead of denying."),
  fork: z.boolean().default(false).describe("Continue in a copy; the resumed session stays as it is."),
});

const answerFields = {
  message: z.string().describe("Final text of the assistant."),
  model: z.string(),
  usage: Usage.describe("Usage of this run."),
  compact: z.literal(true).optional().describe("Set by --compact, which leaves out all fields below."),
};

const details = z.object({
  iterations: Count.describe("Requests that the model answered."),
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
  session_id: z.string().nullable().describe("Null when no session was kept because nothing was said."),
  session_path: z.string().nullable(),
  run_id: z.string(),
  stop_reason: z.string().describe("Why the turn ended, one of five words; in stream-json, the API's stop reason."),
  turn_stop_reason: StopReason.optional().describe("In stream-json: why the turn ended, one of the five words."),
  num_turns: Count.optional().describe("In stream-json: the same as iterations."),
  total_cost_usd: z.number().nullable().optional().describe("In stream-json: the same as cost_usd."),
  result: z.string().optional().describe("In stream-json: the same as message."),
  cancel_observed: z.boolean(),
  permission_denials: z.array(PermissionDenial),
  duration_ms: Count,
  usage_session: Usage.describe("Usage of the whole session, this run included."),
  effect: MutationEffect.describe("A run may change anything that its permissions allow."),
  would_affect: WouldAffect,
});

export const prompt = defineVerb({
  name: "prompt",
  group: "ask",
  summary: "Give claw's own agent a prompt and print its answer. claw -p does the same.",
  input,
  output: z.object({ ...answerFields, ...details.partial().shape }),
  stream: z.looseObject({ type: z.string() }),
  errors: [...AGENT_ERRORS, ...RESUME_ERRORS, "COMMAND_NOT_FOUND"],
  effect: "write",
  unixOnly: true,
  unlimited: true,
  bulky: true,
  examples: [
    { description: "Without an API key, with a scripted answer", command: 'claw -p "hello" --model scripted' },
    {
      description: "In CI: read only, at most ten requests",
      command: "claw -p review --permission-mode read-only --max-turns 10",
    },
    { description: "Ask about piped text", command: 'echo "line 7: boom" | claw -p "what broke?"' },
    { description: "Continue the last session", command: 'claw -p "and now the tests" --continue' },
  ],
});
