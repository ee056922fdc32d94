import * as z from "zod";
import { APPROVAL_DECISIONS } from "../../../events/families/supervision.ts";
import { TICKET_ANSWERS } from "../../../events/families/ticket.ts";
import { defineRequest, loose, orElse, refusedAs, Word } from "../../define-request.ts";
import { TicketHandle } from "./ticket.ts";

export const answerTicketRequest = defineRequest({
  name: "ticket.answer",
  summary: "Answers an approval that a ticket shows, or leaves it open. Each approval is asked once by a ticket.",
  from: ["orchestrator"],
  effect: "write",
  code: "TICKET_NOT_FOUND",
  request: z.object({
    handle: TicketHandle,
    approvalId: refusedAs(Word, "approvalId required"),
    decision: refusedAs(orElse(z.enum(APPROVAL_DECISIONS), null), "decision has to be approve or reject").describe(
      "The decision; without it the approval stays open.",
    ),
    chosen: loose(Word).describe("Id of the option that is chosen."),
    reason: loose(Word).describe("Why; the worker is told."),
    hash: loose(Word).describe("Hash of the question that was shown."),
  }),
  reply: z.object({
    outcome: z.enum([...TICKET_ANSWERS, "ignored"]).describe("`ignored` when the ticket does not ask this."),
    note: z.string(),
  }),
});
