import * as z from "zod";
import { HARNESS_IDS } from "../../runs/harness-names.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";

export const harnesses = defineVerb({
  name: "harnesses",
  group: "ask",
  summary: "List the agent CLIs installed here: version, login, known limits.",
  input: z.object({}),
  output: z.object({
    harnesses: z.array(
      z.object({
        id: z.enum(HARNESS_IDS).describe("Name of the agent for --harness."),
        program: z.string().describe("Command that starts the agent."),
        installed: z.boolean(),
        path: z.string().nullable().describe("Absolute path of the program."),
        version: z.string().nullable(),
        standing: z
          .enum(["recorded", "between", "older", "newer", "unknown"])
          .describe("How the installed version compares with the versions that claw is tested with."),
        newest_recorded: z.string().describe("Newest version that claw is tested with."),
        authentication: z.object({
          kind: z.enum(["environment", "login", "none"]),
          source: z.string().nullable().describe("Name of the variable, or path of the file; never a secret."),
        }),
        behaviours: z.array(z.string()).describe("Surprising behaviour of this version."),
        problem: z.string().nullable().describe("Why the version is unknown although the program is installed."),
      }),
    ),
    harnesses_count: Count,
    automatic: z.enum(HARNESS_IDS).nullable().describe("Agent that --harness auto chooses."),
  }),
  errors: [],
  effect: "read",
  unixOnly: true,
  examples: [
    { description: "Agents that claw can run here", command: "claw harnesses" },
    { description: "For a program", command: "claw harnesses --output-format json" },
  ],
});
