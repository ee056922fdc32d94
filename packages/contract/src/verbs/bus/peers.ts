import * as z from "zod";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";

export const peers = defineVerb({
  name: "peers",
  group: "bus",
  summary: "List the programs that are connected to the bus, on every machine of the cluster.",
  input: z.object({}),
  output: z.object({
    machine: z.string().optional().describe("The machine of the daemon that answers, in a cluster."),
    peers_count: Count,
    peers: z.array(
      z.looseObject({
        peer_id: z.string(),
        role: z.string(),
        name: z.string(),
        machine: z
          .string()
          .optional()
          .describe("The machine that the program is connected to; absent without a cluster."),
        phase: z.string().nullable(),
        stale: z.boolean(),
        last_seen: z.string(),
      }),
    ),
  }),
  errors: [...BUS_ERRORS, "PUBLISH_RATE_LIMITED"],
  effect: "read",
  examples: [{ description: "Every connected program", command: "claw peers" }],
});
