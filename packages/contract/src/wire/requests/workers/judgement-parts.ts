import * as z from "zod";
import { WORKER_RESULTS } from "../../../events/families/worker.ts";
import { COMPLETIONS } from "../../../workers/worker-record.ts";

/** A worker and the result it reported. */
export const JudgedWorker = z.object({
  peerId: z.string(),
  name: z.string(),
  result: z.enum(WORKER_RESULTS).nullable().describe("How the worker says it ended; null when it reported nothing."),
  summary: z.string().nullable().describe("What the worker says it did."),
  completion: z.enum(COMPLETIONS).describe("What became of the result."),
});
