import * as z from "zod";
import { BUS_CHANGE_ERRORS, Mission } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields } from "../../verb/output-parts.ts";

export const advanceMission = defineVerb({
  name: "lifecycle advance",
  group: "compatibility",
  summary: "Move the mission to another phase.",
  input: z.object({
    phase: z.string().min(1).max(40).describe("Phase to go to, such as SPAWN.").meta({ positional: 0 }),
    reason: z.string().min(1).default("asked for").describe("Reason; it is stored with the change."),
  }),
  output: z.object({ mission: Mission.nullable(), ...changeFields }),
  errors: [...BUS_CHANGE_ERRORS, "LIFECYCLE_REFUSED"],
  effect: "write",
  examples: [{ description: "Workers are started now", command: "claw lifecycle advance SPAWN" }],
});
