import * as z from "zod";
import { PHASES } from "../events/phases.ts";
import { WorktreeChanges } from "../events/families/worktree.ts";
import { Count, Timestamp } from "../verb/output-parts.ts";
import { STATE_SOURCES, WORKER_STATES } from "./worker-words.ts";
import { COMPLETIONS } from "./worker-record.ts";

/** The state of a worker, and the source of that state. */
export const StateFields = z.object({
  state: z.enum(WORKER_STATES),
  phase: z.enum(PHASES).nullable(),
  reason: z.string(),
  source: z.enum(STATE_SOURCES).describe("Who says so."),
  as_of: Timestamp.describe("Since when that is known."),
  until: Timestamp.nullable(),
  evidence: Count.nullable().describe("Sequence of the event it follows from."),
});

/** A worker as the wire and the verbs show it. */
export const WorkerFields = z.object({
  peer_id: z.string(),
  name: z.string(),
  ...StateFields.shape,
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
  unknown_calls: Count.describe("Model calls that were cut off; their usage is unknown."),
  current_action: z.string().nullable(),
  completion: z.enum(COMPLETIONS).nullable(),
  doubts: z.array(z.string()),
  worktree: z.record(z.string(), z.unknown()).nullable().describe("Null without one, and once it was removed."),
  changes: WorktreeChanges.nullable().describe("What it changed in its worktree, once it has ended."),
  since: Timestamp,
  last_seen: Timestamp.nullable().describe("Any sign of life."),
  last_progress: Timestamp.nullable().describe("Any sign that its work came further."),
  machine: z.string().optional().describe("The machine it runs on, in a cluster."),
  checks: Count,
  approvals: z.array(z.string()).describe("What can be answered for it."),
});
