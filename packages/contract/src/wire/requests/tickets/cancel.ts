import * as z from "zod";
import { defineRequest } from "../../define-request.ts";
import { TicketHandle, TicketView } from "./ticket.ts";

export const cancelTicketRequest = defineRequest({
  name: "ticket.cancel",
  summary: "Gives up a ticket. Workers that were started for it are aborted; others go on.",
  from: ["orchestrator", "worker"],
  effect: "write",
  code: "TICKET_NOT_FOUND",
  request: z.object({ handle: TicketHandle }),
  reply: TicketView,
});
