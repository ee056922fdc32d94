import * as z from "zod";
import { defineRequest, refusedAs, Word } from "../../define-request.ts";

export const closePipelineRequest = defineRequest({
  name: "pipeline.close",
  summary: "Closes a pipeline. Closing a closed pipeline changes nothing.",
  from: ["orchestrator"],
  effect: "write",
  request: z.object({ pipelineId: refusedAs(Word, "pipeline.close:pipelineId-required") }),
  reply: z.object({ pipelineId: z.string() }),
});
