import * as z from "zod";
import { ApprovalEntry } from "../../verb/approval-entry.ts";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";

export const approvals = defineVerb({
  name: "approvals",
  group: "workers",
  summary: "List the open questions of workers.",
  input: z.object({
    worker: z.string().min(1).optional().describe("Only questions of this worker: its id or its name."),
    all: z.boolean().default(false).describe("Also list answered and expired questions."),
  }),
  output: z.object({ approvals_count: Count, approvals: z.array(ApprovalEntry) }),
  errors: [...BUS_ERRORS],
  effect: "read",
  examples: [{ description: "Open questions", command: "claw approvals" }],
});
