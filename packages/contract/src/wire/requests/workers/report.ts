import * as z from "zod";
import { CheckResult, WorkerCompleted } from "../../../events/families/supervision.ts";
import { WORKER_RESULTS } from "../../../events/families/worker.ts";
import { Worktree } from "../../../events/families/worktree.ts";
import { COMPLETIONS } from "../../../workers/worker-record.ts";
import { defineRequest } from "../../define-request.ts";
import { workerName } from "./worker-parts.ts";

const Workplace = z.object({
  cwd: z.string().nullable(),
  worktree: Worktree.nullable(),
  checks: z.array(z.string()),
  folder: z.string().nullable(),
  sawTool: z.boolean().describe("Whether the worker signalled the start of a tool."),
});

export const WorkerReport = z.object({
  peerId: z.string(),
  sequence: z.int(),
  result: z.enum(WORKER_RESULTS),
  summary: z.string(),
  artifacts: z.array(z.looseObject({ path: z.string() })),
  toolCalls: z.number().nullable().describe("Null when the worker gave no number."),
  claimsChanges: z.boolean().describe("Whether the worker claims changed files or commits."),
  place: Workplace.describe("Where the worker works, and the checks of its work."),
  completed: WorkerCompleted.pick({ artifacts: true, doubts: true })
    .nullable()
    .describe("Result of the examination; null before."),
  verified: z
    .object({ passed: z.boolean(), checks: z.array(CheckResult) })
    .nullable()
    .describe("Results of the checks; null before, and without checks."),
  judged: z.object({ kind: z.enum(["accepted", "rework"]), by: z.string(), reason: z.string().nullable() }).nullable(),
});

export const reportWorkerRequest = defineRequest({
  name: "worker.report",
  summary: "Shows the last report of a worker, with its examination, checks and judgement.",
  from: ["orchestrator", "observer"],
  effect: "guarded read",
  request: z.object({ worker: workerName("Id or name of the worker.") }),
  reply: z.object({
    peerId: z.string(),
    name: z.string(),
    completion: z.enum(COMPLETIONS).nullable(),
    report: WorkerReport.nullable().describe("Null before the first report, and after a rework."),
  }),
});
