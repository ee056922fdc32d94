import * as z from "zod";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";
import { MachineFields } from "../../workers/machine-fields.ts";

export const machines = defineVerb({
  name: "machines",
  group: "bus",
  summary: "List the machines of the cluster: load, version, and when each was heard last.",
  input: z.object({}),
  output: z.object({
    machines_count: Count,
    machines: z.array(z.looseObject(MachineFields.shape)).describe("None for a daemon without a cluster."),
  }),
  errors: [...BUS_ERRORS, "PUBLISH_RATE_LIMITED"],
  effect: "read",
  examples: [{ description: "Every machine of the cluster", command: "claw machines" }],
});
