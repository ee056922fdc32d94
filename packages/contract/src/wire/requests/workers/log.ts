import * as z from "zod";
import { LIMITS } from "../../../limits/limits.ts";
import { Count } from "../../../verb/output-parts.ts";
import { defineRequest } from "../../define-request.ts";
import { workerName } from "./worker-parts.ts";

export const workerLogRequest = defineRequest({
  name: "worker.log",
  summary: "Reads the file with the stream of a worker's agent as bytes, and waits for more of it.",
  from: ["orchestrator", "observer"],
  effect: "guarded read",
  routedBy: { names: "peer", field: "worker" },
  request: z.object({
    worker: workerName("Id or name of the worker."),
    offset: Count.default(0).describe("Where to read on; 0 is the beginning."),
    waitMs: Count.max(LIMITS.terminalWaitMs)
      .optional()
      .describe("How long to wait for more while the worker's process runs; not at all by default."),
  }),
  reply: z.object({
    peerId: z.string(),
    name: z.string(),
    source: z.enum(["transcript", "none"]).describe("`none` for a worker that another program started."),
    harness: z.string().nullable().describe("The agent that wrote the stream."),
    data: z.string().describe("Bytes of the stream in base64."),
    next: Count.describe("Pass it as `offset` to read on."),
    running: z.boolean().describe("Whether the worker's process runs."),
    path: z.string().nullable().describe("The file, on the worker's machine; null before there is one."),
    processLog: z.string().nullable().describe("File with what the worker's own process printed."),
    lastWords: z
      .array(z.string())
      .describe(
        "The last lines that the worker's own process printed, when it has ended and there is no more to read.",
      ),
  }),
});
