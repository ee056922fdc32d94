import * as z from "zod";
import { defineRequest } from "../../define-request.ts";
import { PipelineRecord } from "./pipeline.ts";

export const listPipelinesRequest = defineRequest({
  name: "pipeline.list",
  summary: "Lists the pipelines, closed ones too.",
  from: "any client",
  effect: "read",
  request: z.object({}),
  reply: z.object({ pipelines: z.array(PipelineRecord) }),
});
