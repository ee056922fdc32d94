import * as z from "zod";
import { BUS_CHANGE_ERRORS, Mission } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields } from "../../verb/output-parts.ts";

export const reflectOnMission = defineVerb({
  name: "lifecycle reflect",
  group: "compatibility",
  summary: "End the mission with what was learned.",
  input: z.object({ text: z.string().min(1).describe("What was learned.").meta({ positional: 0 }) }),
  output: z.object({ mission: Mission.nullable(), ...changeFields }),
  errors: [...BUS_CHANGE_ERRORS, "LIFECYCLE_REFUSED"],
  effect: "write",
  examples: [{ description: "What would happen", command: "claw lifecycle reflect 'ship smaller' --dry-run" }],
});
