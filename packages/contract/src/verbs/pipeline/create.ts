import * as z from "zod";
import { BUS_CHANGE_ERRORS, changeFields } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { PipelineEntry } from "../../verb/pipeline-parts.ts";

export const createPipeline = defineVerb({
  name: "pipeline create",
  group: "compatibility",
  summary: "Join terminals: what one publishes as its output is typed into another.",
  input: z.object({
    source: z.string().min(1).max(256).describe("Id of the terminal whose output is passed on."),
    sink: z.string().min(1).max(256).describe("Id of the terminal that gets it."),
    name: z.string().min(1).max(200).optional().describe("What to call it."),
  }),
  output: z.object({ pipeline: PipelineEntry.nullable().describe("Null in a dry run."), ...changeFields }),
  errors: BUS_CHANGE_ERRORS,
  effect: "write",
  examples: [{ description: "From terminal 1 to 2", command: "claw pipeline create --source 1 --sink 2" }],
});
