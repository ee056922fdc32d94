import * as z from "zod";
import { BUS_ERRORS, TokenEntry, TokenRole } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields } from "../../verb/output-parts.ts";

export const createToken = defineVerb({
  name: "tokens create",
  group: "bus",
  summary: "Make a token for a client that joins the bus over the network.",
  input: z.object({
    role: TokenRole.describe("Role of the bearer."),
    peer: z.string().min(1).max(256).optional().describe("The only peer name that the bearer may use."),
    expires: z
      .string()
      .regex(/^[1-9]\d{0,7}[smhd]$/)
      .default("30d")
      .describe("How long the token is valid: a number and s, m, h or d."),
  }),
  output: TokenEntry.partial({ token_id: true, created_at: true }).extend({
    token: z
      .string()
      .nullable()
      .describe("The token, shown only this once; null in a dry run and in a repeated answer."),
    ...changeFields,
  }),
  errors: BUS_ERRORS,
  effect: "write",
  shownOnce: ["token"],
  examples: [
    {
      description: "For a worker on another machine",
      command: "claw tokens create --role worker --peer ci --expires 12h",
    },
    { description: "Into a file", command: "claw tokens create --role observer > observer.token" },
  ],
});
