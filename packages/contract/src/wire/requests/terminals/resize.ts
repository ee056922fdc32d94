import * as z from "zod";
import { defineRequest } from "../../define-request.ts";

const Size = z.int().min(1).max(1000);

export const resizeTerminalRequest = defineRequest({
  name: "terminal.resize",
  summary: "Gives a terminal another size.",
  from: ["orchestrator"],
  effect: "write",
  routedBy: { names: "terminal", field: "terminalId" },
  request: z.object({ terminalId: z.string().describe("The terminal."), cols: Size, rows: Size }),
  reply: z.object({}),
});
