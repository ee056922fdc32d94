import * as z from "zod";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count, MutationEffect, WouldAffect } from "../../verb/output-parts.ts";

export const top = defineVerb({
  name: "top",
  group: "workers",
  summary: "Watch the workers on the whole terminal, and answer, read or stop them by key.",
  input: z.object({ fleet: z.string().optional().describe("Only workers of this fleet.") }),
  output: z.object({
    workers_count: Count.describe("Workers that were listed at the end."),
    waiting_count: Count.describe("Things that waited for a person at the end."),
    effect: MutationEffect.describe("What a key did is told by the worker's events."),
    would_affect: WouldAffect,
  }),
  errors: [...BUS_ERRORS, "INTERACTIVE_ONLY"],
  effect: "write",
  unixOnly: true,
  unlimited: true,
  examples: [
    { description: "All workers, those that need a person first", command: "claw top" },
    { description: "One fleet", command: "claw top --fleet docs" },
  ],
});
