import * as z from "zod";
import { defineRequest, looseOr } from "../../define-request.ts";

export const typeTextRequest = defineRequest({
  name: "terminal.type",
  summary: "Types a text and Enter into a terminal, whatever its screen shows; refused for an agent's terminal.",
  from: ["orchestrator"],
  effect: "write",
  routedBy: { names: "target", field: "target" },
  request: z.object({
    target: looseOr(z.string(), "").describe("Id of the terminal."),
    text: looseOr(z.string(), "").describe("The text."),
  }),
  reply: z.object({ offset: z.number().describe("Bytes of the terminal's output before the text.") }),
});
