import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields } from "../../verb/output-parts.ts";

const Segment = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/);

export const clusterCredentials = defineVerb({
  name: "cluster-credentials",
  group: "bus",
  summary: "Make a key for each machine of a cluster, and the configuration that lets them into NATS.",
  input: z.object({
    machines: z
      .array(Segment)
      .min(1)
      .describe("Names of the machines, joined by commas, as claw up --machine has them.")
      .meta({ positional: 0 }),
    cluster: Segment.describe("Name of the cluster, as claw up --cluster has it."),
    out: z.string().min(1).describe("Folder for the files. Keys that it holds are kept."),
    yes: z.boolean().default(false).describe("Replace the configuration if it differs.").meta({ short: "y" }),
  }),
  output: z.object({
    cluster: z.string(),
    config: z.string().describe("Absolute path of the file to include in the configuration of nats-server."),
    machines: z.array(
      z.object({
        machine: z.string(),
        file: z
          .string()
          .describe("Absolute path of the machine's seed. Only you can read it; copy it to that machine."),
        public_key: z.string().nullable().describe("NKEY of the machine's user; null in a dry run for a new key."),
        status: z.enum(["created", "kept", "would_create"]),
      }),
    ),
    ...changeFields,
  }),
  errors: ["CONFIRMATION_REQUIRED", "INVALID_OUTPUT_PATH"],
  effect: "write",
  unixOnly: true,
  examples: [
    {
      description: "Keys for three machines",
      command: "claw cluster-credentials ann,bob,cyd --cluster team --out nats-keys",
    },
    {
      description: "A machine more; the other keys stay",
      command: "claw cluster-credentials ann,bob,cyd,dan --cluster team --out nats-keys --yes",
    },
  ],
});
