import * as z from "zod";
import { defineRequest } from "../../define-request.ts";

export const closeAgentTerminalRequest = defineRequest({
  name: "worker.terminal.close",
  summary: "Closes the terminal of a worker's agent.",
  from: ["worker"],
  effect: "write",
  request: z.object({}),
  reply: z.object({ terminalId: z.string().optional(), alreadyClosed: z.boolean() }),
});
