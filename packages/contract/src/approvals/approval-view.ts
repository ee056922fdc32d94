import * as z from "zod";
import { ApprovalAnswered, ApprovalExpired, ApprovalOpened } from "../events/families/supervision.ts";

/** An answer to an approval. */
const ApprovalAnswer = ApprovalAnswered.pick({
  decision: true,
  chosen: true,
  reason: true,
  by: true,
  rule: true,
  ts: true,
}).strip();
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>;

/** How an approval ended. */
const ApprovalOutcome = z.union([
  ApprovalAnswer.extend({ kind: z.literal("answered") }),
  ApprovalExpired.pick({ reason: true, ts: true })
    .strip()
    .extend({ kind: z.literal("expired"), by: z.string().nullable() }),
]);
export type ApprovalOutcome = z.infer<typeof ApprovalOutcome>;

/** An approval as the wire shows it. */
export const ApprovalView = ApprovalOpened.extend({
  worker: z.string().describe("Name of the worker that asks."),
  status: z.enum(["open", "answered", "expired"]),
  outcome: ApprovalOutcome.nullable().describe("How the approval ended; null while it is open."),
  cut: z.boolean().optional().describe("Whether some of the subject was too long to be shown."),
  masked: z.boolean().optional().describe("Whether secrets are masked."),
});
export type ApprovalView = z.infer<typeof ApprovalView>;
