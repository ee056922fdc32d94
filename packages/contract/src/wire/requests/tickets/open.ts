import * as z from "zod";
import { StartRefused } from "../../../events/families/ticket.ts";
import { LIMITS } from "../../../limits/limits.ts";
import { defineRequest, looseOr, orElse, refusedAs } from "../../define-request.ts";
import { Goal, TicketHandle, TicketView } from "./ticket.ts";

const { ticketWorkers: most, ticketLeastMs, ticketMostMs, ticketMs } = LIMITS;

export const openTicketRequest = defineRequest({
  name: "ticket.open",
  summary: "Opens a ticket to wait for workers. The same handle from the same peer opens no second ticket.",
  from: ["orchestrator", "worker"],
  effect: "write",
  code: "INVALID_FLAG_VALUE",
  request: z.object({
    handle: TicketHandle,
    workers: refusedAs(z.array(z.string()).max(most), `workers has at most ${most} ids or names`).describe(
      "Workers to wait for, by id or name.",
    ),
    goal: refusedAs(orElse(Goal, "complete"), "goal is complete, verified or needs-input").describe(
      "What is waited for.",
    ),
    started: looseOr(z.boolean(), false).describe("Whether the caller started the workers for this ticket."),
    refused: refusedAs(orElse(z.array(StartRefused).max(most), []), "refused has name, code and message").describe(
      "Workers that did not start, to be told with the outcome.",
    ),
    ttlMs: refusedAs(
      orElse(z.int().min(ticketLeastMs).max(ticketMostMs), ticketMs),
      `ttlMs is from ${ticketLeastMs} to ${ticketMostMs}`,
    ).describe("How long the ticket is kept, in milliseconds."),
  }),
  reply: TicketView,
});
