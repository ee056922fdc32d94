import * as z from "zod";
import { defineRequest, loose, WireId } from "../../define-request.ts";
import { looseFlag } from "./worker-parts.ts";

export const lookAtTerminalRequest = defineRequest({
  name: "worker.terminal",
  summary: "Tells a worker the state of its agent's terminal.",
  from: ["worker"],
  effect: "guarded read",
  request: z.object({
    terminalId: loose(WireId).describe("A terminal of the worker, used when none is open."),
    screen: looseFlag("Whether the reply has the text of the screen."),
  }),
  reply: z.object({
    terminalId: z.string().nullable().describe("The open terminal; null for none."),
    pid: z.int().nullable().describe("Process of the agent."),
    total: z.number().nullable().describe("Bytes of output; null without a terminal."),
    text: z.string().optional().describe("Text of the screen."),
  }),
});
