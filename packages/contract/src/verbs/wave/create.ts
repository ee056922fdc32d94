import * as z from "zod";
import { WAVE_ROLES } from "../../events/families/wave.ts";
import { BUS_CHANGE_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields } from "../../verb/output-parts.ts";

export const createWave = defineVerb({
  name: "wave create",
  group: "compatibility",
  summary: "Start a wave of workers with their roles. An existing wave stays unchanged.",
  input: z.object({
    wave: z.string().min(1).max(100).describe("Name of the wave, without dots.").meta({ positional: 0 }),
    roles: z.array(z.enum(WAVE_ROLES)).min(1).optional().describe("Roles, separated by commas; by default lead."),
    layers: z.array(z.string().min(1)).optional().describe("Layers the wave works on, separated by commas."),
  }),
  output: z.object({ wave: z.string(), created_at: z.string().nullable(), ...changeFields }),
  errors: BUS_CHANGE_ERRORS,
  effect: "write",
  examples: [{ description: "A lead and a tester", command: "claw wave create w1 --roles lead,tester" }],
});
