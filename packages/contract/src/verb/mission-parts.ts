import * as z from "zod";

/** The mission of a workspace, as older clients know it. */
export const Mission = z.looseObject({
  phase: z.string(),
  plan: z.string().nullable().optional(),
  mission_n: z.int().optional(),
});
