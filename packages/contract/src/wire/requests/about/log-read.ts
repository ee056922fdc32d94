import * as z from "zod";
import { LIMITS } from "../../../limits/limits.ts";
import { ANY_PEER, defineRequest, orElse, refusedAs, Word } from "../../define-request.ts";
import { Cursor } from "../connection/cursor.ts";

const StoredEvent = z.looseObject({
  topic: z.string(),
  from: z.string(),
  ts_server: z.string(),
  payload: z.unknown().optional(),
  sequence: z.int(),
});

const Gap = z.object({ from: Cursor, to: Cursor, reason: z.string() });

export const logReadRequest = defineRequest({
  name: "log.read",
  summary: "Reads stored events after a cursor in one reply, oldest first.",
  from: ANY_PEER,
  effect: "read",
  request: z.object({
    since: refusedAs(Cursor, "invalid cursor format").describe(
      "The events after it are read; `0000:0` means all events.",
    ),
    topics: refusedAs(z.array(Word), "topic invalid").optional().describe("Patterns of topics; all events by default."),
    limit: orElse(z.int().min(1).max(LIMITS.listMax), LIMITS.listMax).describe("Most events of the reply."),
    bytes: orElse(z.int().min(1).max(LIMITS.answerBytes), LIMITS.answerBytes).describe(
      "Most bytes of events in the reply. A first event that is longer is sent all the same.",
    ),
  }),
  reply: z.object({
    cursor: Cursor.describe("The place behind the last event that was looked at."),
    more: z.boolean().describe("Whether events can follow that the reply had no room for."),
    gaps: z.array(Gap).optional().describe("Places at which events can no longer be read."),
    events: z.array(StoredEvent).describe("Lines of the log."),
  }),
});
