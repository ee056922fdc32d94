import * as z from "zod";
import { BUS_CHANGE_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, Count } from "../../verb/output-parts.ts";

export const publishVerb = defineVerb({
  name: "publish",
  group: "bus",
  summary: "Publish one event as an orchestrator, and print its place in the log.",
  input: z.object({
    topic: z.string().describe("Topic to publish on.").meta({ positional: 0 }),
    payload: z.string().default("{}").describe("Data of the event, a JSON value.").meta({ positional: 1 }),
  }),
  output: z.object({
    topic: z.string(),
    sequence: Count,
    cursor: z.string(),
    delivered_to: Count,
    ...changeFields,
  }),
  errors: [...BUS_CHANGE_ERRORS, "WORKER_NOT_FOUND", "WORKER_ENDED"],
  effect: "write",
  examples: [
    {
      description: "Stop every worker",
      command: `claw publish cmd.role.worker '{"command":"abort","reason":"done"}'`,
    },
  ],
});
