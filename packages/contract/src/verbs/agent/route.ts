import * as z from "zod";
import { LIMITS } from "../../limits/limits.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count, RoutedMatch } from "../../verb/output-parts.ts";

export const route = defineVerb({
  name: "route",
  group: "programs",
  summary: "Find the commands and tools that a prompt is about, best first.",
  input: z.object({
    prompt: z.string().describe("The prompt to match.").meta({ positional: 0 }),
    limit: z.int().min(0).max(LIMITS.listMax).default(LIMITS.routeDefault).describe("How many matches to return."),
  }),
  output: z.object({
    prompt: z.string(),
    limit: Count,
    match_count: Count.describe("How many matches this answer holds."),
    matches: z.array(RoutedMatch),
  }),
  errors: [],
  effect: "read",
  examples: [{ description: "Commands and tools that could help", command: 'claw route "add a folder"' }],
});
