import * as z from "zod";
import { MISSION_MODES } from "../../../events/mission-phases.ts";
import { defineRequest, refusedAs } from "../../define-request.ts";
import { MissionReply } from "./mission-state.ts";

const modes = MISSION_MODES.join("|");

export const planMissionRequest = defineRequest({
  name: "lifecycle.plan",
  summary: "Begins a mission. A mission that is under way stays unchanged.",
  from: "any client",
  effect: "write",
  code: "LIFECYCLE_REFUSED",
  request: z.object({
    plan: refusedAs(z.string().regex(/\S/), { error: "lifecycle:plan-empty", message: "the plan is empty" }),
    workerMode: refusedAs(
      z.enum(MISSION_MODES),
      { error: "lifecycle:invalid-worker-mode", message: `workerMode has to be ${modes}` },
      { error: "lifecycle:worker-mode-required", message: `workerMode is required: ${modes}` },
    ),
    expectedWorkers: refusedAs(
      z.int().min(1),
      {
        error: "lifecycle:invalid-expected-workers",
        message: "expectedWorkers has to be a whole number from 1 on",
      },
      { error: "lifecycle:expected-workers-required", message: "expectedWorkers is required" },
    ),
  }),
  reply: MissionReply.extend({
    idempotent: z.boolean().describe("True when a mission was under way, and when a failed mission begins again."),
  }),
});
