import * as z from "zod";
import { AGENT_ERRORS, agentFlags, RESUME_ERRORS, Usage } from "../../sessions/turn-output.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count, MutationEffect, SessionRef, WouldAffect } from "../../verb/output-parts.ts";

export const chat = defineVerb({
  name: "chat",
  group: "start",
  rank: 3,
  summary: "Work with claw's own agent in an interactive session. The same as claw alone on a terminal.",
  input: z.object({
    ...agentFlags,
    resume: SessionRef.optional().describe("Session to go on with: an id, its file, or latest."),
    continue: z.boolean().default(false).describe("Go on with the newest session.").meta({ short: "c" }),
  }),
  output: z.object({
    session_id: z.string().nullable().describe("The session that was last worked in; null when nothing is stored."),
    model: z.string(),
    turns: Count.describe("Turns that count."),
    usage: Usage.describe("Of all turns since the session was opened, those that were stopped included."),
    estimated_cost: z.string().describe("Dollars with four decimals, or unknown."),
    cost_usd: z.number().nullable(),
    duration_ms: Count,
    effect: MutationEffect.describe("A session may change anything its permissions let it."),
    would_affect: WouldAffect,
  }),
  errors: [...AGENT_ERRORS.filter((code) => code !== "MISSING_PROMPT"), "INTERACTIVE_ONLY", ...RESUME_ERRORS],
  effect: "write",
  unlimited: true,
  examples: [
    { description: "Without a key, to see how it feels", command: "claw chat --model scripted" },
    { description: "Go on where the last session ended", command: "claw chat --continue" },
  ],
});
