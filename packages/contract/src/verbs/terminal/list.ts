import * as z from "zod";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";

export const listTerminals = defineVerb({
  name: "terminal list",
  alone: true,
  group: "workers",
  summary: "List the open terminals of this folder, and of the cluster's other machines.",
  input: z.object({}),
  output: z.object({
    machine: z.string().optional().describe("The machine of the daemon that answers, in a cluster."),
    terminals_count: Count,
    terminals: z.array(
      z.object({
        terminal_id: z.string(),
        name: z.string(),
        machine: z.string().optional().describe("The machine of the terminal; absent without a cluster."),
        pid: Count,
        state: z.string().nullable(),
        worker_id: z.string().nullable().describe("The worker whose agent runs in it."),
        cols: Count,
        rows: Count,
        cwd: z.string(),
        opened_at: z.string(),
      }),
    ),
  }),
  errors: [...BUS_ERRORS, "PUBLISH_RATE_LIMITED"],
  effect: "read",
  examples: [{ description: "What is open", command: "claw terminal list" }],
});
