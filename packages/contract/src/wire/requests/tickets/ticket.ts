import * as z from "zod";
import { ApprovalView } from "../../../approvals/approval-view.ts";
import { StartRefused, TICKET_ANSWERS } from "../../../events/families/ticket.ts";
import { LIMITS } from "../../../limits/limits.ts";
import { WAIT_GOALS } from "../../../workers/worker-words.ts";
import { WorkerOutcome } from "../../../workers/worker-outcome.ts";
import { refusedAs } from "../../define-request.ts";

const { ticketHandleLeast: least, ticketHandleMost: most } = LIMITS;

/** The secret name of a ticket, chosen by the caller from random bytes. */
export const TicketHandle = refusedAs(
  z.string().min(least).max(most),
  `handle has ${least} to ${most} characters`,
).describe("Secret name of the ticket, made of random bytes by the caller.");

export const Goal = z.enum(WAIT_GOALS);

/** Reply about a ticket, for the owner of the ticket. */
export const TicketView = z.object({
  status: z.enum(["open", "closed", "cancelled"]),
  goal: Goal,
  started: z.boolean().describe("Whether the workers were started for this ticket."),
  opened: z.iso.datetime(),
  updated: z.iso.datetime().describe("When something the ticket shows changed last."),
  ttlMs: z.int(),
  cursor: z.string().describe("Place in the log: of the closing, or else of the newest event."),
  from: z.string().describe("Place in the log just before the opening."),
  workers: z.array(WorkerOutcome),
  refused: z.array(StartRefused).describe("Workers that did not start."),
  approvals: z.array(ApprovalView).describe("Open questions of workers that the owner started, not yet answered here."),
  answers: z
    .array(z.object({ approvalId: z.string(), outcome: z.enum(TICKET_ANSWERS), note: z.string() }))
    .describe("Answers given by this ticket, oldest first."),
});
