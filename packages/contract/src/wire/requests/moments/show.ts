import * as z from "zod";
import { ApprovalView } from "../../../approvals/approval-view.ts";
import { CheckResult } from "../../../events/families/supervision.ts";
import { TROUBLES } from "../../../trouble/trouble-record.ts";
import { COMPLETIONS } from "../../../workers/worker-record.ts";
import { TROUBLE_ACTIONS } from "../../../workers/worker-words.ts";
import { WorkerFields } from "../../../workers/worker-fields.ts";
import { defineRequest, looseOr } from "../../define-request.ts";
import { LATEST_MS } from "../about/log-cursor.ts";
import { BudgetView } from "../budgets/list.ts";
import { Cursor } from "../connection/cursor.ts";
import { WorkerReport } from "../workers/report.ts";

/** The last report of a worker at a moment. */
const MomentReport = z.object({
  peerId: z.string(),
  name: z.string(),
  sequence: z.int().describe("Sequence of the report."),
  completion: z.enum(COMPLETIONS),
  result: WorkerReport.shape.result,
  summary: z.string(),
  doubts: z.array(z.string()),
  checks: z.array(CheckResult).nullable().describe("Results of the checks; null before, and without checks."),
  judged: WorkerReport.shape.judged,
});

/** A worker in trouble at a moment. */
const MomentAlert = z.object({
  peerId: z.string(),
  name: z.string(),
  trouble: z.enum(TROUBLES),
  sequence: z.int().describe("Sequence of the event that told of the trouble."),
  action: z.enum(TROUBLE_ACTIONS).nullable().describe("What the daemon does about it; null before it has decided."),
  due: z.string().nullable().describe("ISO time of the next step; null when there is none."),
  broken: z.boolean().describe("Whether only a person can start the worker again."),
});

/** The state of a workspace at a place of the log. */
export const Moment = z.object({
  cursor: Cursor.describe("The moment is after this event. A subscription from here misses and repeats nothing."),
  ts: z.string().describe("ISO time of the moment."),
  oldest: Cursor.describe("The oldest moment that can be shown."),
  head: Cursor.describe("The newest event."),
  workers: z.array(WorkerFields).describe("Oldest first."),
  hidden: z.int().describe("Number of workers that are counted only; see `endedWithinMs`."),
  approvals: z.array(ApprovalView).describe("Oldest first. Beyond a size limit, subjects are left out."),
  budgets: z.array(BudgetView),
  reports: z.array(MomentReport).describe("Reports of the listed workers."),
  alerts: z.array(MomentAlert).describe("Listed workers in trouble."),
  records: z
    .array(z.looseObject({ peerId: z.string() }))
    .optional()
    .describe("With `records`: for each listed worker, the record that `reduceWorker` goes on from."),
});
export type Moment = z.infer<typeof Moment>;

export const showMomentRequest = defineRequest({
  name: "moment.show",
  summary: "Shows workers, approvals, budgets, reports and alerts, as they are, or as they were at a moment.",
  from: ["orchestrator", "observer"],
  effect: "guarded read",
  code: "INVALID_CURSOR",
  request: z.object({
    at: Cursor.optional().describe("Shows the state after this event; by default the present state."),
    time: z
      .number()
      .min(0)
      .max(LATEST_MS)
      .optional()
      .describe("Shows the state at this moment of the server's clock, in milliseconds. Not together with `at`."),
    fleet: z.string().optional().describe("Only workers of this fleet."),
    endedWithinMs: z
      .int()
      .nonnegative()
      .optional()
      .describe("Workers that ended longer before the moment are counted and not listed. Without it, all are listed."),
    allApprovals: looseOr(z.boolean(), false).describe("Whether closed approvals are listed too."),
    records: looseOr(z.boolean(), false).describe("Whether the reply has the records of the workers."),
  }),
  reply: z.object({
    ready: z.boolean().describe("False when more of the log has to be read first: ask again."),
    progress: z
      .object({ done: z.int(), total: z.int() })
      .nullable()
      .describe("Events that are read, and events that have to be; null when the moment is shown."),
    moment: Moment.nullable(),
  }),
});
