import * as z from "zod";
import { AGENT_ERRORS, agentFlags, RESUME_ERRORS, Usage } from "../../sessions/turn-output.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count, MutationEffect, SessionRef, WouldAffect } from "../../verb/output-parts.ts";

export const chat = defineVerb({
  name: "chat",
  group: "start",
  rank: 3,
  summary: "Work with claw's own agent in an interactive session. On a terminal, claw without arguments does the same.",
  input: z.object({
    ...agentFlags,
    resume: SessionRef.optional().describe("Session to continue: an id, its file, or latest."),
    continue: z.boolean().default(false).describe("Continue the newest session.").meta({ short: "c" }),
  }),
  output: z.object({
    session_id: z.string().nullable().describe("Last session of the chat; null when nothing is stored."),
    model: z.string(),
    turns: Count.describe("Turns that were completed."),
    usage: Usage.describe("Usage of all turns since the session was opened, stopped turns included."),
    estimated_cost: z.string().describe("Dollars with four decimals, or unknown."),
    cost_usd: z.number().nullable(),
    duration_ms: Count,
    effect: MutationEffect.describe("A session may change anything that its permissions allow."),
    would_affect: WouldAffect,
  }),
  errors: [...AGENT_ERRORS.filter((code) => code !== "MISSING_PROMPT"), "INTERACTIVE_ONLY", ...RESUME_ERRORS],
  effect: "write",
  unixOnly: true,
  unlimited: true,
  examples: [
    { description: "Without an API key, with scripted answers", command: "claw chat --model scripted" },
    { description: "Continue the last session", command: "claw chat --continue" },
  ],
});
