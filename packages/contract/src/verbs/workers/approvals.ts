import * as z from "zod";
import { ApprovalEntry } from "../../verb/approval-entry.ts";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";

export const approvals = defineVerb({
  name: "approvals",
  group: "workers",
  summary: "List the questions of workers that wait for an answer.",
  input: z.object({
    all: z.boolean().default(false).describe("List questions that were answered or have expired, too."),
  }),
  output: z.object({ approvals_count: Count, approvals: z.array(ApprovalEntry) }),
  errors: [...BUS_ERRORS],
  effect: "read",
  examples: [{ description: "What waits for an answer", command: "claw approvals" }],
});
