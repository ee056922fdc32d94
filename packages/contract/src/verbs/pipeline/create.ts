import * as z from "zod";
import { BUS_CHANGE_ERRORS, PipelineEntry } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields } from "../../verb/output-parts.ts";

export const createPipeline = defineVerb({
  name: "pipeline create",
  group: "compatibility",
  summary: "Join two terminals: the output that one publishes is typed into the other.",
  input: z.object({
    source: z.string().min(1).max(256).describe("Id of the terminal whose output is passed on."),
    sink: z.string().min(1).max(256).describe("Id of the terminal that gets the output."),
    name: z.string().min(1).max(200).optional().describe("Name of the pipeline."),
  }),
  output: z.object({ pipeline: PipelineEntry.nullable().describe("Null in a dry run."), ...changeFields }),
  errors: BUS_CHANGE_ERRORS,
  effect: "write",
  examples: [{ description: "From terminal 1 to 2", command: "claw pipeline create --source 1 --sink 2" }],
});
