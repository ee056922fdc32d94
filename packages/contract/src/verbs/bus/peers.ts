import * as z from "zod";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";

export const peers = defineVerb({
  name: "peers",
  group: "bus",
  summary: "List the programs that are connected to the bus.",
  input: z.object({}),
  output: z.object({
    peers_count: Count,
    peers: z.array(
      z.looseObject({
        peer_id: z.string(),
        role: z.string(),
        name: z.string(),
        phase: z.string().nullable(),
        stale: z.boolean(),
        last_seen: z.string(),
      }),
    ),
  }),
  errors: BUS_ERRORS,
  effect: "read",
  examples: [{ description: "Every connected program", command: "claw peers" }],
});
