import * as z from "zod";
import { ANY_PEER, defineRequest, refusedAs } from "../../define-request.ts";
import { Cursor } from "../connection/cursor.ts";

/** The last millisecond of the year 9999: texts of later times do not sort by time. */
export const LATEST_MS = 253_402_300_799_999;

export const logCursorRequest = defineRequest({
  name: "log.cursor",
  summary: "Finds the place in the log at which a moment begins.",
  from: ANY_PEER,
  effect: "read",
  request: z.object({
    time: refusedAs(z.number().min(0).max(LATEST_MS), "time has to be milliseconds since 1970").describe(
      "The moment by the server's clock, in milliseconds.",
    ),
  }),
  reply: z.object({ cursor: Cursor.describe("The events after this cursor were stored at that moment or later.") }),
});
