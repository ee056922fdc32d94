import * as z from "zod";

/** Something a worker asks for, or asked for. */
export const ApprovalEntry = z.looseObject({
  approval_id: z.string(),
  peer_id: z.string().describe("Worker that asks."),
  worker: z.string().describe("Its name."),
  request_id: z.string().describe("What the worker calls it."),
  kind: z.enum(["BLOCKED", "REQUEST"]),
  message: z.string(),
  subject: z.record(z.string(), z.unknown()).describe("What exactly is asked for; secrets are masked."),
  hash: z.string().describe("Of everything that is asked, as it was asked."),
  cut: z.boolean().describe("Whether some of it was too long to be shown."),
  masked: z.boolean().describe("Whether secrets in it are masked."),
  options: z.array(z.looseObject({ id: z.string(), label: z.string().optional() })),
  opened_at: z.string(),
  deadline: z.string().describe("When it is refused unless it is answered."),
  status: z.enum(["open", "answered", "expired"]),
  decision: z.enum(["approve", "reject"]).nullable(),
  chosen: z.string().nullable(),
  reason: z.string().nullable().describe("Why it was decided so, or why it is over."),
  by: z.string().nullable().describe("Peer that answered; `server` for a rule."),
  rule: z.string().nullable(),
});
export type ApprovalEntry = z.infer<typeof ApprovalEntry>;
