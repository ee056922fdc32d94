import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";

export const fakeAgent = defineVerb({
  name: "fake-agent",
  group: "programs",
  summary: "Play an agent's CLI from a scenario, for tests without a model.",
  input: z.object({
    agent: z
      .enum(["claude", "codex"])
      .optional()
      .describe("The CLI to play; without it, scenarios are listed or checked.")
      .meta({ positional: 0 }),
    args: z.array(z.string()).optional().describe("Arguments for the played CLI.").meta({ positional: 1, rest: true }),
    scenario: z.string().min(1).optional().describe("Name of a built-in scenario, or a file; text by default."),
  }),
  output: z.object({
    scenarios: z.array(
      z.object({
        id: z.string().describe("Name of the scenario, or its file as given."),
        summary: z.string(),
        source: z.enum(["built-in", "file"]),
        steps_count: Count.describe("Steps after the first prompt."),
      }),
    ),
    scenarios_count: Count,
  }),
  errors: ["FAKE_SCENARIO_NOT_FOUND", "FAKE_SCENARIO_INVALID"],
  effect: "read",
  unixOnly: true,
  unlimited: true,
  plays: true,
  examples: [
    { description: "List the scenarios", command: "claw fake-agent" },
    { description: "Play Claude Code", command: "claw fake-agent claude --scenario tools -p hello" },
    { description: "Check a scenario", command: "claw fake-agent --scenario question" },
  ],
});
