import * as z from "zod";
import { COMMAND_ERRORS } from "../../verb/command-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, Count, RunningWorker } from "../../verb/output-parts.ts";

export const down = defineVerb({
  name: "down",
  group: "workers",
  summary: "Stop the daemon of this folder. Acknowledged events are kept, and workers go on.",
  input: z.object({
    abort: z.boolean().default(false).describe("Stop the workers first; their work so far is kept."),
  }),
  output: z.object({
    stopped: z.boolean(),
    pid: Count.nullable(),
    workers: z.array(RunningWorker).describe("Workers that go on without the daemon."),
    aborted: z.array(RunningWorker).describe("Workers that were stopped first."),
    ...changeFields,
  }),
  errors: [...COMMAND_ERRORS, "DAEMON_FAILED"],
  effect: "write",
  examples: [
    { description: "Stop it", command: "claw down" },
    { description: "Stop its workers too", command: "claw down --abort" },
  ],
});
