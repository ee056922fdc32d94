import * as z from "zod";
import { BUS_ERRORS } from "./bus-parts.ts";
import { changeFields } from "./output-parts.ts";

/** Something a worker asks for, or asked for. */
export const ApprovalEntry = z.looseObject({
  approval_id: z.string(),
  peer_id: z.string().describe("Worker that asks."),
  worker: z.string().describe("Name of the worker."),
  request_id: z.string().describe("Id that the worker gave the question."),
  kind: z.enum(["BLOCKED", "REQUEST"]),
  message: z.string(),
  subject: z.record(z.string(), z.unknown()).describe("The question in detail; secrets are masked."),
  hash: z.string().describe("Hash of the whole question, before masking and cutting."),
  cut: z.boolean().describe("Whether parts of the question were too long and are left out."),
  masked: z.boolean().describe("Whether secrets in the question are masked."),
  options: z.array(z.looseObject({ id: z.string(), label: z.string().optional() })),
  opened_at: z.string(),
  deadline: z.string().describe("Time at which an unanswered question is refused."),
  status: z.enum(["open", "answered", "expired"]),
  decision: z.enum(["approve", "reject"]).nullable(),
  chosen: z.string().nullable(),
  reason: z.string().nullable().describe("Reason of the answer, or why the question expired."),
  by: z.string().nullable().describe("Peer that answered; `server` when a rule answered."),
  rule: z.string().nullable(),
});
export type ApprovalEntry = z.infer<typeof ApprovalEntry>;

/** The question that `approve` and `reject` answer. */
export const ApprovalRef = z
  .string()
  .optional()
  .describe("Id of the question, the beginning of its id, or the name of a worker with one open question.")
  .meta({ positional: 0 });

export const AnswerHash = z
  .string()
  .optional()
  .describe("Hash of the question that was read, from `claw approvals`. An answer to another question is refused.");

export const AnswerReason = z.string().optional().describe("Reason, for the worker and the record.");

/** The output of `approve` and `reject`. */
export const answerOutput = <Decision extends "approve" | "reject">(decision: Decision) =>
  z.object({
    approval_id: z.string(),
    decision: z.literal(decision),
    approval: ApprovalEntry.describe("The question and its answer."),
    ...changeFields,
  });

export const ANSWER_ERRORS = [
  ...BUS_ERRORS,
  "APPROVAL_NOT_FOUND",
  "APPROVAL_ANSWERED",
  "APPROVAL_CHANGED",
  "APPROVAL_EXPIRED",
  "WORKER_ENDED",
  "PUBLISH_NOT_STORED",
] as const;
