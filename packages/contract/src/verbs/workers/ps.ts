import * as z from "zod";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count, Timestamp } from "../../verb/output-parts.ts";
import { BUDGET_SCOPES, WORKER_STATES } from "../../workers/worker-words.ts";
import { StateFields, WorkerFields } from "../../workers/worker-fields.ts";

const Worker = z.looseObject(WorkerFields.shape);

/** A state change of a worker, as published. */
const Change = z.looseObject({
  type: z.literal("state"),
  peer_id: z.string(),
  name: z.string(),
  previous: z.enum(WORKER_STATES).nullable(),
  ...StateFields.shape,
  cursor: z.string(),
});

export const ps = defineVerb({
  name: "ps",
  group: "workers",
  summary: "List the workers: what each is doing, and which source says so.",
  input: z.object({
    watch: z.boolean().default(false).describe("Keep the list on the screen and update it.").meta({ short: "w" }),
    all: z.boolean().default(false).describe("Also list workers that ended a while ago.").meta({ short: "a" }),
    state: z.array(z.enum(WORKER_STATES)).optional().describe("Only workers in this state; repeatable."),
    fleet: z.string().optional().describe("Only workers of this fleet."),
    at: z
      .string()
      .max(100)
      .optional()
      .describe("Show the state at this moment: a cursor, a time, or 10m, 2h, 3d ago. Not with --watch."),
  }),
  output: z.object({
    workers_count: Count,
    waiting_count: Count.describe("Workers that wait for a person."),
    at: z
      .object({
        cursor: z.string(),
        ts: Timestamp,
        oldest: z.string().describe("The oldest moment that can be shown."),
      })
      .optional()
      .describe("The moment that is shown, with --at."),
    machine: z.string().optional().describe("This machine, in a cluster."),
    hidden_count: Count.describe("Workers that ended a while ago and are not listed."),
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
      .describe("Budgets that are used up: of these workers, their fleets, the day and the workspace."),
  }),
  stream: z.union([Worker.extend({ type: z.literal("worker") }), Change]),
  errors: [...BUS_ERRORS, "INVALID_CURSOR", "MOMENT_GONE", "PUBLISH_RATE_LIMITED"],
  effect: "read",
  unlimited: true,
  examples: [
    { description: "What every worker is doing", command: "claw ps" },
    { description: "Workers that wait for a person", command: "claw ps --state needs_input --state blocked" },
    { description: "What every worker did half an hour ago", command: "claw ps --at 30m" },
    { description: "Every change as it comes", command: "claw ps --watch --output-format stream-json" },
  ],
});
