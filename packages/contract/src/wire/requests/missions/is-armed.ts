import * as z from "zod";
import { defineRequest, Word } from "../../define-request.ts";

export const isArmedRequest = defineRequest({
  name: "monitors.is-corr-armed",
  summary: "Says whether a monitor for a correlation id is connected or announced.",
  from: "any client",
  effect: "read",
  request: z.object({ correlation_id: Word }),
  reply: z.object({
    armed: z.boolean().describe("Whether a monitor is connected or announced."),
    claimed: z.boolean().describe("Whether a monitor is connected."),
    pending: z.boolean().describe("Whether a monitor is announced."),
    peerId: z.string().nullable().describe("The connected monitor."),
  }),
});
