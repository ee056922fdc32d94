import * as z from "zod";
import { MissionMonitor } from "../../../events/families/lifecycle.ts";
import { defineRequest, refusedAs, WireId, Word } from "../../define-request.ts";

const REQUIRED = {
  error: "lifecycle:register-monitor-args",
  message: "terminalId, correlationId and command are required",
};

export const registerMonitorRequest = defineRequest({
  name: "lifecycle.register-monitor",
  summary: "Says which command watches a worker of the mission.",
  from: "any client",
  effect: "write",
  code: "LIFECYCLE_REFUSED",
  request: z.object({
    terminalId: refusedAs(WireId, REQUIRED).describe("Terminal of the worker."),
    correlationId: refusedAs(Word, REQUIRED),
    command: refusedAs(Word, REQUIRED).describe("Command that watches."),
  }),
  reply: z.object({ monitor: MissionMonitor }),
});
