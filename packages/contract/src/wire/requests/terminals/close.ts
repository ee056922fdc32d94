import * as z from "zod";
import { CLOSE_ORIGINS } from "../../terminals/close-origin.ts";
import { defineRequest, loose } from "../../define-request.ts";
import { TERMINAL_REF } from "./terminal-ref.ts";

export const closeTerminalRequest = defineRequest({
  name: "close",
  summary: "Closes a terminal. An unknown terminal is no error: the reply says `alreadyClosed`.",
  from: "any client",
  effect: "write",
  routedBy: { names: "terminal", field: "terminalId" },
  request: z.object({
    ...TERMINAL_REF,
    close_origin: loose(z.enum(CLOSE_ORIGINS)).describe("Why the terminal is closed; `orchestrator` by default."),
  }),
  reply: z.object({ alreadyClosed: z.boolean() }),
});
