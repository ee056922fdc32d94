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
        id: z.enum(HARNESS_IDS).describe("What --harness calls it."),
        program: z.string().describe("The command."),
        installed: z.boolean(),
        path: z.string().nullable().describe("Absolute path of the program."),
        version: z.string().nullable(),
        standing: z
          .enum(["recorded", "between", "older", "newer", "unknown"])
          .describe("How the version relates to those whose streams are tested against."),
        newest_recorded: z.string().describe("The newest version whose streams are tested against."),
        authentication: z.object({
          kind: z.enum(["environment", "login", "none"]),
          source: z.string().nullable().describe("Name of the variable, or path of the file; never a secret."),
        }),
        behaviours: z.array(z.string()).describe("What this version does that one would not expect."),
        problem: z.string().nullable().describe("Why the version of an installed one is not known."),
      }),
    ),
    harnesses_count: Count,
    automatic: z.enum(HARNESS_IDS).nullable().describe("The one that --harness auto takes."),
  }),
  errors: [],
  effect: "read",
  examples: [
    { description: "What can be run here", command: "claw harnesses" },
    { description: "For a program", command: "claw harnesses --output-format json" },
  ],
});
