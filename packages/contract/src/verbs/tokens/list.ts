import * as z from "zod";
import { BUS_ERRORS, TokenEntry } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";

export const listTokens = defineVerb({
  name: "tokens list",
  alone: true,
  group: "bus",
  summary: "List the valid tokens, without their secrets.",
  input: z.object({}),
  output: z.object({ tokens_count: Count, tokens: z.array(TokenEntry) }),
  errors: BUS_ERRORS,
  effect: "read",
  examples: [{ description: "All valid tokens", command: "claw tokens list" }],
});
