import * as z from "zod";
import { LIMITS } from "../../limits/limits.ts";
import { AGENT_ERRORS, agentFlags, StopReason, TurnSummary } from "../../sessions/turn-output.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, Count } from "../../verb/output-parts.ts";

const LoopTurn = TurnSummary.extend({
  matched_commands: z.array(z.string()).describe("Names of commands the prompt resembles."),
  matched_tools: z.array(z.string()).describe("Names of tools the prompt resembles."),
});

export const turnLoop = defineVerb({
  name: "turn-loop",
  group: "programs",
  summary: "Run several turns in one session, up to a number of turns and a time limit.",
  input: z.object({
    prompt: z.string().describe("Prompt of the first turn.").meta({ positional: 0 }),
    maxTurns: z.int().min(0).default(3).describe("Most turns to run."),
    continuationPrompt: z
      .string()
      .min(1)
      .optional()
      .describe("Prompt of each further turn; without it there is one turn."),
    maxIterations: z.int().min(1).optional().describe("Most requests to the model in one turn."),
    limit: z.int().min(0).max(LIMITS.listMax).default(5).describe("Matching commands and tools to name per turn."),
    ...agentFlags,
  }),
  output: z.object({
    prompt: z.string(),
    max_turns: Count,
    turns_completed: Count.describe("Turns that were completed; a stopped turn does not count."),
    timeout_seconds: z.number().nullable(),
    continuation_prompt: z.string().nullable(),
    turns: z.array(LoopTurn),
    final_stop_reason: StopReason.nullable(),
    final_cancel_observed: z.boolean(),
    session_id: z.string().nullable(),
    ...changeFields,
  }),
  errors: [...AGENT_ERRORS, "TURN_TIMEOUT"],
  effect: "write",
  unixOnly: true,
  unlimited: true,
  reportsTimeout: true,
  examples: [
    {
      description: "Three turns at most, a minute in all",
      command: "claw turn-loop hi --continuation-prompt go --timeout-seconds 60",
    },
  ],
});
