import * as z from "zod";
import { BUS_CHANGE_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields } from "../../verb/output-parts.ts";

export const closePipeline = defineVerb({
  name: "pipeline close",
  group: "compatibility",
  summary: "Close a pipeline; its terminals stay open.",
  input: z.object({
    pipelineId: z.string().min(1).max(100).describe("Id of the pipeline, from pipeline list.").meta({ positional: 0 }),
  }),
  output: z.object({ pipeline_id: z.string(), ...changeFields }),
  errors: [...BUS_CHANGE_ERRORS, "PIPELINE_NOT_FOUND"],
  effect: "delete",
  examples: [{ description: "By its id", command: "claw pipeline close pipe_0001" }],
});
