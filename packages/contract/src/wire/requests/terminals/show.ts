import * as z from "zod";
import { defineRequest } from "../../define-request.ts";
import { TERMINAL_REF } from "./terminal-ref.ts";

export const showTerminalRequest = defineRequest({
  name: "show",
  summary: "Checks that a terminal is open. Older servers also bring its window to the front.",
  from: "any client",
  effect: "guarded read",
  routedBy: { names: "terminal", field: "terminalId" },
  request: z.object(TERMINAL_REF),
  reply: z.object({}),
});
