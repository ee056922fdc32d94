import * as z from "zod";
import { STEP_FIELDS } from "../../../events/families/pipeline.ts";

/** Terminals whose output the bus types into another terminal. */
export const PipelineRecord = z.object({
  pipelineId: z.string(),
  name: z.string(),
  steps: z.array(z.object(STEP_FIELDS)),
  state: z.enum(["active", "closed"]),
  createdAt: z.string().describe("ISO time."),
  closedAt: z.string().optional().describe("ISO time."),
});
