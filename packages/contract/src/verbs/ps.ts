import * as z from "zod";
import { PHASES } from "../events/phases.ts";
import { WorktreeChanges } from "../events/worktree.ts";
import { BUS_ERRORS } from "../verb/bus-errors.ts";
import { defineVerb } from "../verb/define-verb.ts";
import { Count, Timestamp } from "../verb/output-parts.ts";
import { BUDGET_SCOPES, STATE_SOURCES, WORKER_STATES } from "../worker-words.ts";
import { COMPLETIONS } from "../workers/worker-record.ts";

const Said = z.object({
  state: z.enum(WORKER_STATES),
  phase: z.enum(PHASES).nullable(),
  reason: z.string(),
  source: z.enum(STATE_SOURCES).describe("Who says so."),
  as_of: Timestamp.describe("Since when that is known."),
  until: Timestamp.nullable(),
  evidence: Count.nullable().describe("Sequence of the event it follows from."),
});

const Worker = z.looseObject({
  peer_id: z.string(),
  name: z.string(),
  ...Said.shape,
  ended: z.boolean().describe("Whether nothing more comes of it unless a person starts it again."),
  harness: z.string().nullable(),
  mode: z.string().nullable(),
  model: z.string().nullable(),
  permission_mode: z.string().nullable().describe("What its agent reports that it may do, in the agent's own words."),
  permission_mode_asked: z.string().nullable().describe("What it was asked to hold to."),
  mission: z.string().nullable(),
  parent_id: z.string().nullable(),
  fleet: z.string().nullable(),
  cwd: z.string().nullable(),
  terminal_id: z.string().nullable(),
  attempt: z.number(),
  pid: z.number().nullable(),
  tokens: z.number(),
  cost_usd: z.number(),
  cost_estimated: z.boolean().describe("Whether the cost is estimated from tokens, in part at least."),
  unknown_calls: Count.describe("Calls of a model that were cut off, so that nobody knows what they used."),
  current_action: z.string().nullable(),
  completion: z.enum(COMPLETIONS).nullable(),
  doubts: z.array(z.string()),
  worktree: z.record(z.string(), z.unknown()).nullable().describe("Null without one, and once it was removed."),
  changes: WorktreeChanges.nullable().describe("What it changed in its worktree, once it has ended."),
  since: Timestamp,
  last_seen: Timestamp.nullable().describe("Any sign of life."),
  last_progress: Timestamp.nullable().describe("Any sign that its work came further."),
  checks: Count,
  approvals: z.array(z.string()).describe("What can be answered for it."),
});

/** A state change of a worker, as published. */
const Change = z.looseObject({
  type: z.literal("state"),
  peer_id: z.string(),
  name: z.string(),
  previous: z.enum(WORKER_STATES).nullable(),
  ...Said.shape,
  cursor: z.string(),
});

export const ps = defineVerb({
  name: "ps",
  group: "workers",
  summary: "List the workers: what each is doing, and who says so.",
  input: z.object({
    watch: z.boolean().default(false).describe("Keep the list on the screen and update it.").meta({ short: "w" }),
    all: z.boolean().default(false).describe("List workers that ended a while ago, too.").meta({ short: "a" }),
    state: z.array(z.enum(WORKER_STATES)).optional().describe("Only workers in this state; repeatable."),
    fleet: z.string().optional().describe("Only workers of this fleet."),
  }),
  output: z.object({
    workers_count: Count,
    waiting_count: Count.describe("Those that wait for a person."),
    hidden_count: Count.describe("Those that ended a while ago and are not listed."),
    workers: z.array(Worker).describe("Oldest first."),
    budgets_reached: z
      .array(
        z.object({
          scope: z.enum(BUDGET_SCOPES),
          id: z.string().nullable().describe("Worker, run, fleet or day; null for the workspace."),
          unit: z.enum(["usd", "tokens"]),
          spent: z.number(),
          limit: z.number(),
        }),
      )
      .describe("Limits of these workers, their fleets, the day and the workspace that let nothing more be spent."),
  }),
  stream: z.union([Worker.extend({ type: z.literal("worker") }), Change]),
  errors: BUS_ERRORS,
  effect: "read",
  unlimited: true,
  examples: [
    { description: "What every worker is doing", command: "claw ps" },
    { description: "Workers that wait for a person", command: "claw ps --state needs_input --state blocked" },
    { description: "Every change as it comes", command: "claw ps --watch --output-format stream-json" },
  ],
});
