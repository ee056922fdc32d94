import * as z from "zod";
import { MissionWorker } from "../../../events/families/lifecycle.ts";
import { MISSION_WORKER_STATUSES } from "../../../events/mission-phases.ts";
import { defineRequest, refusedAs, WireId } from "../../define-request.ts";

const REQUIRED = {
  error: "lifecycle:mark-status-args",
  message: "terminalId and a known status are required",
};

export const markWorkerStatusRequest = defineRequest({
  name: "lifecycle.mark-worker-status",
  summary: "Says how far a worker of the mission is. An unknown worker is no error: the reply has `worker: null`.",
  from: "any client",
  effect: "write",
  code: "LIFECYCLE_REFUSED",
  request: z.object({
    terminalId: refusedAs(WireId, REQUIRED).describe("Terminal of the worker."),
    status: refusedAs(z.enum(MISSION_WORKER_STATUSES), REQUIRED),
  }),
  reply: z.object({ worker: MissionWorker.nullable() }),
});
