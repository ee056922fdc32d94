import * as z from "zod";
import { BUS_ERRORS, TokenEntry } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, Count } from "../../verb/output-parts.ts";

export const revokeToken = defineVerb({
  name: "tokens revoke",
  group: "bus",
  summary: "Revoke a token at once, and disconnect the clients that use it.",
  input: z.object({
    tokenOrPeer: z
      .string()
      .min(1)
      .max(256)
      .describe("Id of the token, or the peer it was made for.")
      .meta({ positional: 0 }),
  }),
  output: z.object({
    revoked_count: Count,
    revoked: z.array(TokenEntry),
    ...changeFields,
  }),
  errors: [...BUS_ERRORS, "NO_SUCH_TOKEN"],
  effect: "delete",
  examples: [{ description: "Every token of a peer", command: "claw tokens revoke ci" }],
});
