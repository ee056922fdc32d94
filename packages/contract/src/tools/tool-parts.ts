import * as z from "zod";
import { MAX_TOOL_WAIT_SECONDS } from "./tool-limits.ts";

export const ToolWorker = z.string().min(1).describe("Id or name");

/** A worker as every tool shows it; a call may add members. */
export const ToolWorkerRow = z.looseObject({
  id: z.string(),
  name: z.string(),
  state: z.string(),
  reason: z.string(),
});

export const WaitSeconds = z.number().min(0).max(MAX_TOOL_WAIT_SECONDS).optional();

/** What a lead gets of its workers, at the end of their work or of a wait. */
export const ToolOutcome = z.object({
  status: z.enum(["working", "needs_input", "done", "failed"]),
  workers: z.array(ToolWorkerRow),
  digest: z.string().describe("What happened, for a person"),
  cursor: z.string().describe("Pass it to claws_wait"),
});
