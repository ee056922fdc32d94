import * as z from "zod";
import { ANY_PEER, defineRequest, judged, refusedAs } from "../../define-request.ts";
import { Cursor } from "./cursor.ts";

export const ackRequest = defineRequest({
  name: "ack",
  summary: "Acknowledges all events of a durable subscription up to a cursor.",
  from: ANY_PEER,
  effect: "write",
  request: z.object({
    subscriptionId: refusedAs(z.string(), "subscription not found"),
    cursor: judged(Cursor),
  }),
  reply: z.object({ ackedCursor: Cursor }),
});
