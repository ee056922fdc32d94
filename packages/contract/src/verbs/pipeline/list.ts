import * as z from "zod";
import { BUS_ERRORS, PipelineEntry } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";

export const listPipelines = defineVerb({
  name: "pipeline list",
  alone: true,
  group: "compatibility",
  summary: "List the pipelines of this folder, closed ones too.",
  input: z.object({}),
  output: z.object({ pipelines_count: Count, pipelines: z.array(PipelineEntry) }),
  errors: BUS_ERRORS,
  effect: "read",
  examples: [{ description: "All pipelines", command: "claw pipeline list" }],
});
