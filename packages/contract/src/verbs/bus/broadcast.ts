import * as z from "zod";
import { ROLES } from "../../events/fields.ts";
import { BUS_CHANGE_ERRORS, changeFields } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";

export const broadcast = defineVerb({
  name: "broadcast",
  group: "bus",
  summary: "Say something to every worker, or to everybody of a role.",
  input: z.object({
    text: z.string().min(1).describe("What to say.").meta({ positional: 0 }),
    to: z
      .enum([...ROLES, "all"])
      .default("worker")
      .describe("Role of those who are told."),
    inject: z.boolean().default(false).describe("Also type it into their terminals."),
  }),
  output: z.object({
    delivered_to: Count,
    injected: Count.describe("Terminals it was typed into."),
    queued: Count.describe("Agents that get it when they can take it."),
    ...changeFields,
  }),
  errors: [...BUS_CHANGE_ERRORS],
  effect: "write",
  examples: [{ description: "To every worker", command: "claw broadcast 'main is frozen'" }],
});
