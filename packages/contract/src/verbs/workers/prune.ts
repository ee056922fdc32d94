import * as z from "zod";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, Count } from "../../verb/output-parts.ts";
import { WORKER_STATES } from "../../workers/worker-words.ts";

const Pruned = z.object({
  peer_id: z.string(),
  name: z.string(),
  state: z.enum(WORKER_STATES),
  paths: z.array(z.string()).describe("Folder and worktree of the worker."),
});

const Kept = z.object({
  peer_id: z.string().nullable().describe("Null for a worktree whose worker is no longer known."),
  name: z.string(),
  path: z.string().nullable().describe("The worktree that stays."),
  reason: z.string(),
});

export const prune = defineVerb({
  name: "prune",
  group: "workers",
  summary: "Remove all workers that have ended; list what stays, and why.",
  input: z.object({
    fleet: z.string().optional().describe("Only workers of this fleet."),
    yes: z.boolean().default(false).describe("Remove the workers without asking.").meta({ short: "y" }),
  }),
  output: z.object({
    removed_count: Count,
    kept_count: Count,
    removed: z.array(Pruned),
    kept: z.array(Kept).describe("Worktrees that hold work, and workers that could not be removed."),
    ...changeFields,
  }),
  errors: [...BUS_ERRORS, "CONFIRMATION_REQUIRED"],
  effect: "delete",
  examples: [
    { description: "Show what would be removed, and what would stay", command: "claw prune --dry-run" },
    { description: "Without asking", command: "claw prune --yes" },
  ],
});
