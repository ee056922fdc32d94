import * as z from "zod";
import { LIMITS } from "../../../limits/limits.ts";
import { defineRequest, loose } from "../../define-request.ts";
import { TERMINAL_REF } from "./terminal-ref.ts";

export const readTerminalLogRequest = defineRequest({
  name: "readLog",
  summary: "Reads the output of a terminal, open or closed.",
  from: "any client",
  effect: "guarded read",
  routedBy: { names: "terminal", field: "terminalId" },
  request: z.object({
    ...TERMINAL_REF,
    offset: loose(z.number()).describe("First byte; without it, the last bytes are read."),
    limit: loose(z.number()).describe(`Number of bytes, up to ${LIMITS.terminalReadBytes}, which is the default.`),
    strip: loose(z.boolean()).describe("Whether to leave out sequences for the screen; true by default."),
  }),
  reply: z.object({
    bytes: z.string().describe("The output as text."),
    offset: z.int().describe("Offset of the first byte."),
    nextOffset: z.int(),
    totalSize: z.int().describe("Number of output bytes since the terminal began."),
    truncated: z.boolean().describe("Whether more output follows."),
    logPath: z.null(),
  }),
});
