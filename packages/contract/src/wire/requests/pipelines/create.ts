import * as z from "zod";
import { STEP_FIELDS } from "../../../events/families/pipeline.ts";
import { defineRequest, loose, refusedAs, WireId, Word } from "../../define-request.ts";
import { PipelineRecord } from "./pipeline.ts";

const Step = z.object({ role: STEP_FIELDS.role, terminalId: WireId });

export const createPipelineRequest = defineRequest({
  name: "pipeline.create",
  summary: "Joins terminals: the bus types the output that a source publishes into the first sink.",
  from: ["orchestrator"],
  effect: "write",
  request: z.object({
    steps: refusedAs(z.array(Step).min(2), "pipeline.create:steps-required (min 2 steps)").describe(
      "At least one source and one sink.",
    ),
    name: loose(Word).describe("Name for people; `pipeline` by default."),
  }),
  reply: z.object({ pipelineId: z.string(), pipeline: PipelineRecord }),
});
