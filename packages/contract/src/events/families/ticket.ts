import * as z from "zod";
import { WAIT_GOALS } from "../../workers/worker-words.ts";
import { WorkerOutcome } from "../../workers/worker-outcome.ts";
import { bareEvent } from "../event-row.ts";
import { anyText, flag, list, text, timestamp, whole } from "../fields.ts";

const ts = timestamp("When.");
const ticket = text("Hash of the ticket's handle. The handle itself is known to the caller alone.");

/** A worker that a caller wanted and that did not start. */
export const StartRefused = z.looseObject({
  name: text("Name that was asked for.").nullable(),
  code: text("Code of the error catalogue."),
  message: anyText("Why it was not started."),
});
export type StartRefused = z.infer<typeof StartRefused>;

export const TicketOpened = z.looseObject({
  ticket,
  owner: text("Peer that waits. No other peer can use the ticket."),
  goal: z.enum(WAIT_GOALS).describe("What the peer waits for."),
  started: flag("Whether the workers were started for this ticket; then a cancelled ticket aborts them."),
  workers: list(z.looseObject({ peerId: text("A worker."), name: text("Its name.") }), "Workers waited for."),
  refused: list(StartRefused, "Workers that did not start."),
  ttl_ms: whole("How long the ticket is kept, from its opening."),
  ts,
});
export type TicketOpened = z.infer<typeof TicketOpened>;

/** The result of a client's answer to an approval. */
export const TICKET_ANSWERS = ["counted", "late", "left_open", "refused"] as const;

export const TicketAnswered = z.looseObject({
  ticket,
  approvalId: text("Approval that was asked about."),
  outcome: z.enum(TICKET_ANSWERS).describe("Result of the answer; `left_open` when no person decided."),
  note: anyText("The same, for people."),
  ts,
});
export type TicketAnswered = z.infer<typeof TicketAnswered>;

export const TicketClosed = z.looseObject({
  ticket,
  outcomes: list(WorkerOutcome, "Where each worker stood."),
  ts,
});
export type TicketClosed = z.infer<typeof TicketClosed>;

export const TicketCancelled = z.looseObject({ ticket, by: text("Peer that cancelled it."), ts });
export type TicketCancelled = z.infer<typeof TicketCancelled>;

export const TICKET_EVENTS = [
  bareEvent({
    address: "system.ticket.opened",
    name: "system-ticket-opened-v1",
    schema: TicketOpened,
    summary: "A caller waits for workers, by a handle that outlives the daemon.",
  }),
  bareEvent({
    address: "system.ticket.answered",
    name: "system-ticket-answered-v1",
    schema: TicketAnswered,
    summary: "The caller's client answered an approval, or left it open.",
  }),
  bareEvent({
    address: "system.ticket.closed",
    name: "system-ticket-closed-v1",
    schema: TicketClosed,
    summary: "Every worker of the ticket reached what was waited for, or never will.",
  }),
  bareEvent({
    address: "system.ticket.cancelled",
    name: "system-ticket-cancelled-v1",
    schema: TicketCancelled,
    summary: "The caller gave the waiting up.",
  }),
] as const;
