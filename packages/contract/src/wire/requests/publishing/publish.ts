import * as z from "zod";
import { ANY_PEER, defineRequest, judged, Word } from "../../define-request.ts";
import { Cursor } from "../connection/cursor.ts";

export const publishRequest = defineRequest({
  name: "publish",
  summary: "Stores an event and delivers it to the subscribers of its topic.",
  from: ANY_PEER,
  effect: "write",
  routedBy: { names: "command", field: "topic" },
  request: z.object({
    topic: judged(Word.describe("Required.")),
    payload: judged(z.unknown().describe("The event, in an envelope or bare.")),
    echo: judged(z.boolean().describe("Whether the publisher's own subscriptions get the event too.")),
  }),
  reply: z.object({
    deliveredTo: z.int().describe("Number of subscriptions that got the event."),
    sequence: z.int().optional().describe("Place in the log, for the capability `receipts`."),
    cursor: Cursor.optional().describe("Place in the log, for the capability `receipts`."),
    duplicate: z.boolean().optional().describe("Whether the event was stored before, for the capability `receipts`."),
    receipts: z
      .array(z.object({ peerId: z.string(), sequence: z.int() }))
      .optional()
      .describe("A receipt for each peer that a command to a role is for, for the capability `receipts`."),
  }),
});
