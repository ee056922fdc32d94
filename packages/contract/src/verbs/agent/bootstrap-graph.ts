import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { SourceHint } from "../../verb/output-parts.ts";

export const bootstrapGraph = defineVerb({
  name: "bootstrap-graph",
  group: "programs",
  summary: "List the steps of a call in order, from its start to the request to the model.",
  input: z.object({}),
  output: z.object({
    stages: z.array(z.string()).describe("Names of the stages, in order."),
    steps: z
      .array(z.object({ name: z.string(), when: z.enum(["call", "turn"]), source_hint: SourceHint }))
      .describe("The stages with their source files, and whether every call has the stage or only a turn."),
    note: z.string(),
  }),
  errors: [],
  effect: "read",
  anywhere: true,
  examples: [{ description: "For a program", command: "claw bootstrap-graph --output-format json" }],
});
