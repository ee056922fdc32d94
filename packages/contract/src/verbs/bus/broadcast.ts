import * as z from "zod";
import { ROLES } from "../../events/fields.ts";
import { BUS_CHANGE_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, Count } from "../../verb/output-parts.ts";

export const broadcast = defineVerb({
  name: "broadcast",
  group: "bus",
  summary: "Send a text to every worker, or to every peer of a role.",
  input: z.object({
    text: z.string().min(1).describe("Text to send.").meta({ positional: 0 }),
    to: z
      .enum([...ROLES, "all"])
      .default("worker")
      .describe("Role of the peers that get the text."),
    inject: z.boolean().default(false).describe("Also type the text into their terminals."),
  }),
  output: z.object({
    delivered_to: Count,
    injected: Count.describe("Number of terminals that took the text."),
    queued: Count.describe("Number of agents for which the text waits as a command."),
    ...changeFields,
  }),
  errors: [...BUS_CHANGE_ERRORS],
  effect: "write",
  examples: [{ description: "To every worker", command: "claw broadcast 'main is frozen'" }],
});
