import * as z from "zod";
import { LIMITS } from "../../../limits/limits.ts";
import { ANY_PEER, defineRequest, judged, refusedAs, Word } from "../../define-request.ts";
import { Cursor } from "./cursor.ts";

export const subscribeRequest = defineRequest({
  name: "subscribe",
  summary: "Opens a subscription. With a cursor, the events after the cursor come first.",
  from: ANY_PEER,
  effect: "write",
  request: z.object({
    topic: refusedAs(Word, "topic required").describe("Topic or pattern of topics."),
    durable: judged(
      z
        .string()
        .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*$/)
        .max(LIMITS.durableNameLength)
        .describe("Name under which the server keeps the position. Needs the capability `durable`."),
    ),
    ackWaitMs: judged(
      z.int().min(1).describe(`Time until an event without ack comes again; ${LIMITS.durableAckWaitMs} by default.`),
    ),
    maxInFlight: judged(
      z
        .int()
        .min(1)
        .max(LIMITS.durableInFlightMax)
        .describe(`Number of events that may wait for an ack; ${LIMITS.durableInFlight} by default.`),
    ),
    fromCursor: judged(Cursor.describe("The events after this cursor are sent; `0000:0` means all events.")),
  }),
  reply: z.object({
    subscriptionId: z.string(),
    resumeCursor: Cursor.describe("End of the log."),
    durable: z.string().optional().describe("Name of a durable subscription."),
    ackedCursor: Cursor.optional().describe("Last acknowledged event of a durable subscription."),
  }),
});
