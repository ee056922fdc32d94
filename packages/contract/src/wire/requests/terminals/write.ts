import * as z from "zod";
import { LIMITS } from "../../../limits/limits.ts";
import { defineRequest } from "../../define-request.ts";

/** Characters of base64 for so many bytes. */
const typeChars = Math.ceil(LIMITS.terminalTypeBytes / 3) * 4;

export const writeTerminalRequest = defineRequest({
  name: "terminal.write",
  summary: "Types bytes into a terminal as they are, as a person at its keyboard does.",
  from: ["orchestrator"],
  effect: "write",
  routedBy: { names: "terminal", field: "terminalId" },
  request: z.object({
    terminalId: z.string().describe("The terminal."),
    data: z.string().max(typeChars).describe("The bytes in base64."),
  }),
  reply: z.object({}),
});
