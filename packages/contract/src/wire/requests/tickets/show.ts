import * as z from "zod";
import { defineRequest } from "../../define-request.ts";
import { TicketHandle, TicketView } from "./ticket.ts";

export const showTicketRequest = defineRequest({
  name: "ticket.show",
  summary: "Shows a ticket of the caller. A ticket of another peer counts as unknown.",
  from: ["orchestrator", "worker"],
  effect: "guarded read",
  code: "TICKET_NOT_FOUND",
  request: z.object({ handle: TicketHandle }),
  reply: TicketView,
});
