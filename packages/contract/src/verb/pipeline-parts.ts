import * as z from "zod";

/** A pipeline of joined terminals. */
export const PipelineEntry = z.object({
  pipeline_id: z.string(),
  name: z.string(),
  state: z.string(),
  created_at: z.string(),
  steps: z.array(z.object({ step_id: z.string(), role: z.enum(["source", "sink"]), terminal_id: z.string() })),
});
