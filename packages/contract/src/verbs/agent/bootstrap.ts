import * as z from "zod";
import { LIMITS } from "../../limits/limits.ts";
import { changeFields, RoutedMatch } from "../../verb/output-parts.ts";
import { AGENT_ERRORS, agentFlags, TurnSummary } from "../../sessions/turn-output.ts";
import { defineVerb } from "../../verb/define-verb.ts";

export const bootstrap = defineVerb({
  name: "bootstrap",
  group: "programs",
  summary: "Inspect the folder, route a prompt, run one turn and store it.",
  input: z.object({
    prompt: z.string().describe("Prompt of the turn.").meta({ positional: 0 }),
    limit: z.int().min(0).max(LIMITS.listMax).default(5).describe("How many matches to return."),
    ...agentFlags,
  }),
  output: z.object({
    prompt: z.string(),
    limit: z.int(),
    setup: z.object({
      python_version: z.string().nullable(),
      implementation: z.string().describe("Runtime of claw."),
      runtime_version: z.string(),
      platform_name: z.string(),
      test_command: z.string().nullable().describe("Command that tests the project in this folder; null when unknown."),
    }),
    routed_matches: z.array(RoutedMatch),
    turn: TurnSummary,
    session_id: z.string().nullable(),
    persisted_session_path: z.string().nullable(),
    ...changeFields,
  }),
  errors: AGENT_ERRORS,
  effect: "write",
  unixOnly: true,
  unlimited: true,
  examples: [{ description: "Without an API key", command: "claw bootstrap hello --model scripted" }],
});
