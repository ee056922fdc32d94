import * as z from "zod";
import { BUS_ERRORS, Mission } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";

export const showMission = defineVerb({
  name: "lifecycle show",
  alone: true,
  group: "compatibility",
  summary: "Show the mission of this folder and the phase it is in.",
  input: z.object({}),
  output: z.object({ mission: Mission.nullable().describe("Null before the first plan.") }),
  errors: BUS_ERRORS,
  effect: "read",
  examples: [{ description: "Where the mission stands", command: "claw lifecycle show" }],
});
