import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";

export const doctor = defineVerb({
  name: "doctor",
  group: "start",
  rank: 2,
  summary: "Check what claw needs on this machine and in this folder.",
  input: z.object({}),
  output: z.object({
    kind: z.literal("doctor"),
    status: z.enum(["ok", "warn", "fail"]),
    has_failures: z.boolean(),
    summary: z.object({ total: Count, ok: Count, warnings: Count, failures: Count }),
    checks: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        status: z.enum(["ok", "warn", "fail"]),
        ok: z.boolean(),
        summary: z.string(),
        fix: z.string().nullable().describe("What to do about it."),
      }),
    ),
  }),
  errors: ["DOCTOR_FAILED"],
  effect: "read",
  examples: [{ description: "Check this folder", command: "claw doctor" }],
});
