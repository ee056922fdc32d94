import * as z from "zod";
import { ApprovalView } from "../../../approvals/approval-view.ts";
import { LIMITS } from "../../../limits/limits.ts";
import { WAIT_GOALS } from "../../../workers/worker-words.ts";
import { WorkerOutcome } from "../../../workers/worker-outcome.ts";
import { ANY_PEER, defineRequest, orElse, refusedAs } from "../../define-request.ts";

const { ticketWorkers: most } = LIMITS;

export const workerOutcomesRequest = defineRequest({
  name: "worker.outcomes",
  summary: "Judges where workers stand that a caller waits for.",
  from: ANY_PEER,
  effect: "guarded read",
  code: "INVALID_FLAG_VALUE",
  request: z.object({
    workers: refusedAs(
      orElse(z.array(z.string()).max(most), null),
      `workers has at most ${most} ids or names`,
    ).describe("Ids or names; without them, the newest workers that the caller started."),
    goal: refusedAs(orElse(z.enum(WAIT_GOALS), "complete"), "goal is complete, verified or needs-input"),
  }),
  reply: z.object({
    done: z.boolean().describe("Whether no worker is waited for any more."),
    cursor: z.string().describe("Place in the log of the newest event that is taken into account."),
    workers: z.array(WorkerOutcome),
    approvals: z.array(ApprovalView).describe("Open questions of those workers that the caller started."),
  }),
});
