import * as z from "zod";
import { LIMITS } from "../../../limits/limits.ts";
import { defineRequest } from "../../define-request.ts";

export const followOutputRequest = defineRequest({
  name: "terminal.output",
  summary: "Waits for output of a terminal, or for its end, and reads the output as bytes.",
  from: ["orchestrator"],
  effect: "guarded read",
  routedBy: { names: "terminal", field: "terminalId" },
  request: z.object({
    terminalId: z.string().describe("The terminal."),
    offset: z.int().min(0).optional().describe("Where to read on; without it, the newest output."),
    waitMs: z
      .int()
      .min(0)
      .max(LIMITS.terminalWaitMs)
      .optional()
      .describe("How long to wait for output; not at all by default."),
  }),
  reply: z.object({
    data: z.string().describe("Bytes of the output in base64."),
    offset: z.int().describe("Offset of the first byte."),
    next: z.int().describe("Pass it as `offset` to read on."),
    ended: z.boolean().describe("Whether the terminal is closed and there is no more to read."),
    exitCode: z.int().nullable().describe("Exit code of the program, when it ended by itself during the request."),
    signal: z.int().nullable().describe("Number of the signal that ended the program during the request."),
  }),
});
