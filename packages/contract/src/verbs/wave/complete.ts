import * as z from "zod";
import { BUS_CHANGE_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, Count } from "../../verb/output-parts.ts";

export const completeWave = defineVerb({
  name: "wave complete",
  group: "compatibility",
  summary: "End a wave and close the terminals of its members. While its lead is connected, only the lead may end it.",
  input: z.object({
    wave: z.string().min(1).max(100).describe("Name of the wave.").meta({ positional: 0 }),
    summary: z.string().min(1).default("ended by claw wave complete").describe("Summary of the wave."),
    commits: z.array(z.string().min(1)).optional().describe("Commits of the wave, separated by commas."),
    regressionClean: z.boolean().default(false).describe("All tests that passed before still pass."),
  }),
  output: z.object({
    wave: z.string(),
    completed_at: z.string().nullable(),
    harvested: Count.describe("Terminals of members."),
    ...changeFields,
  }),
  errors: [...BUS_CHANGE_ERRORS, "WAVE_NOT_FOUND"],
  effect: "write",
  examples: [{ description: "By its name", command: "claw wave complete w1 --summary 'all green'" }],
});
