import * as z from "zod";
import { MISSION_MODES } from "../../events/mission-phases.ts";
import { BUS_CHANGE_ERRORS, Mission } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields } from "../../verb/output-parts.ts";

export const planMission = defineVerb({
  name: "lifecycle plan",
  group: "compatibility",
  summary: "Begin a mission with its plan. A mission that is under way stays unchanged.",
  input: z.object({
    text: z.string().min(1).describe("The plan.").meta({ positional: 0 }),
    mode: z.enum(MISSION_MODES).default("single").describe("Form of the mission: one worker, a fleet or an army."),
    workers: z.int().min(1).default(1).describe("How many workers are expected."),
  }),
  output: z.object({ mission: Mission.nullable(), ...changeFields }),
  errors: [...BUS_CHANGE_ERRORS, "LIFECYCLE_REFUSED"],
  effect: "write",
  examples: [{ description: "One worker", command: "claw lifecycle plan 'audit the server'" }],
});
