import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";

export const fakeAgent = defineVerb({
  name: "fake-agent",
  group: "programs",
  summary: "Play an agent's CLI by a scenario, for tests without a model.",
  input: z.object({
    agent: z
      .enum(["claude", "codex"])
      .optional()
      .describe("The CLI to play; without it, scenarios are listed or checked.")
      .meta({ positional: 0 }),
    args: z
      .array(z.string())
      .optional()
      .describe("Everything behind it is for the CLI that is played.")
      .meta({ positional: 1, rest: true }),
    scenario: z.string().min(1).optional().describe("Name of a built-in scenario, or a file; text by default."),
  }),
  output: z.object({
    scenarios: z.array(
      z.object({
        id: z.string().describe("Its name, or its file as it was given."),
        summary: z.string(),
        source: z.enum(["built-in", "file"]),
        steps_count: Count.describe("Steps after the first prompt."),
      }),
    ),
    scenarios_count: Count,
  }),
  errors: ["FAKE_SCENARIO_NOT_FOUND", "FAKE_SCENARIO_INVALID"],
  effect: "read",
  unlimited: true,
  plays: true,
  examples: [
    { description: "Scenarios there are", command: "claw fake-agent" },
    { description: "Be Claude Code", command: "claw fake-agent claude --scenario tools -p hello" },
    { description: "Check a scenario of your own", command: "claw fake-agent --scenario question" },
  ],
});
