import * as z from "zod";
import { MissionWorker } from "../../../events/families/lifecycle.ts";
import { defineRequest, judged, refusedAs, WireId, Word } from "../../define-request.ts";

const REQUIRED = {
  error: "lifecycle:register-spawn-args",
  message: "terminalId, correlationId and name are required",
};

export const registerSpawnRequest = defineRequest({
  name: "lifecycle.register-spawn",
  summary: "Adds a worker to the mission.",
  from: "any client",
  effect: "write",
  code: "LIFECYCLE_REFUSED",
  request: z.object({
    terminalId: refusedAs(WireId, REQUIRED).describe("Terminal of the worker."),
    name: refusedAs(Word, REQUIRED),
    correlationId: judged(Word.describe("Required. Id under which the worker was started.")),
  }),
  reply: z.object({ worker: MissionWorker.nullable() }),
});
