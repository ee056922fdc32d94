import * as z from "zod";
import { WorktreeChanges } from "../../events/families/worktree.ts";
import { FLEET_STATUSES } from "../../fleets/fleet-progress.ts";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, Count } from "../../verb/output-parts.ts";
import { WORKER_STATES } from "../../workers/worker-words.ts";

const Status = z.enum(FLEET_STATUSES).describe("How far the fleet is with this worker.");
const State = z.enum(WORKER_STATES).nullable().describe("Last known state of the worker.");

export const fleet = defineVerb({
  name: "fleet",
  group: "workers",
  summary: "Start the workers of a fleet file, each after those it needs, and follow them to the end.",
  input: z.object({
    file: z.string().min(1).describe("YAML or JSON file that describes the fleet.").meta({ positional: 0 }),
    keepGoing: z
      .boolean()
      .default(false)
      .describe("After a failure, go on with workers that do not need the failed one."),
    fresh: z.boolean().default(false).describe("Start again the workers that an earlier call finished."),
    concurrency: z.int().min(1).optional().describe("Most workers at a time; by default the number in the file."),
    onInterrupt: z
      .enum(["leave", "abort"])
      .default("leave")
      .describe("What to do with the workers when this call is interrupted."),
  }),
  output: z.object({
    fleet: z.string(),
    workers: z.array(
      z.object({
        name: z.string(),
        peer_id: z.string().nullable(),
        status: Status,
        state: State,
        completion: z.string().nullable().describe("State of the result: reported, verified, failed_checks, …"),
        adopted: z.boolean().describe("Whether the worker existed before this call."),
        reason: z.string(),
        tokens: z.number().min(0),
        cost_usd: z.number().min(0),
        cost_estimated: z.boolean().describe("Whether the cost is estimated from tokens, at least in part."),
        branch: z.string().nullable().describe("Branch of the worker's worktree."),
        changes: WorktreeChanges.nullable().describe("Changes in the worker's worktree, once the worker has ended."),
      }),
    ),
    done: Count,
    failed: Count,
    skipped: Count,
    total_tokens: z.number().min(0),
    total_cost_usd: z.number().min(0),
    cost_estimated: z.boolean(),
    ...changeFields,
  }),
  stream: z.object({
    type: z.literal("worker"),
    name: z.string(),
    peer_id: z.string().nullable(),
    status: Status,
    state: State,
    reason: z.string(),
  }),
  errors: [...BUS_ERRORS, "FLEET_FILE_INVALID", "FLEET_FAILED", "BUDGET_EXCEEDED"],
  effect: "write",
  unlimited: true,
  examples: [
    { description: "Show what would be started", command: "claw fleet fleet.yaml --dry-run" },
    { description: "The same, one at a time", command: "claw fleet fleet.yaml --concurrency 1 --dry-run" },
  ],
});
