import * as z from "zod";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";

export const showWave = defineVerb({
  name: "wave status",
  group: "compatibility",
  summary: "Show the members of a wave, and which of them have finished.",
  input: z.object({ wave: z.string().min(1).max(100).describe("Name of the wave.").meta({ positional: 0 }) }),
  output: z.object({
    wave: z.string(),
    complete: z.boolean(),
    created_at: z.string(),
    completed_at: z.string().nullable(),
    summary: z.string().nullable(),
    layers: z.array(z.string()),
    lead: z.looseObject({ peer_id: z.string(), name: z.string(), terminal_id: z.string().nullable() }),
    members: z.array(
      z.object({
        role: z.string(),
        peer_id: z.string().nullable(),
        name: z.string().nullable(),
        terminal_id: z.string().nullable(),
        complete: z.boolean(),
      }),
    ),
  }),
  errors: [...BUS_ERRORS, "WAVE_NOT_FOUND"],
  effect: "read",
  examples: [{ description: "By its name", command: "claw wave status w1" }],
});
