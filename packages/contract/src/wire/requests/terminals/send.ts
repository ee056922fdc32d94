import * as z from "zod";
import { defineRequest, loose } from "../../define-request.ts";
import { TERMINAL_REF } from "./terminal-ref.ts";

export const sendTextRequest = defineRequest({
  name: "send",
  summary: "Types a text into a terminal.",
  from: "any client",
  effect: "write",
  routedBy: { names: "terminal", field: "terminalId" },
  request: z.object({
    ...TERMINAL_REF,
    text: loose(z.string()).describe("Empty by default."),
    newline: loose(z.boolean()).describe("Whether Enter follows; true by default."),
    paste: loose(z.boolean()).describe("Types the text as one bracketed paste."),
  }),
  reply: z.object({ mode: z.literal("wrapped") }),
});
