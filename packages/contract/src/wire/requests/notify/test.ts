import * as z from "zod";
import { NOTICE_CHANNELS } from "../../../notify/notice.ts";
import { defineRequest } from "../../define-request.ts";

/** The outcome of a notice on one channel. */
export const Delivered = z.object({
  channel: z.enum(NOTICE_CHANNELS),
  delivered: z.boolean(),
  detail: z.string().describe("What the command or the webhook answered, or why it did not."),
  durationMs: z.int().nonnegative(),
});

export const testNotifyRequest = defineRequest({
  name: "notify.test",
  summary: "Delivers a test notice once on every channel that the settings name, and answers with the outcomes.",
  from: ["orchestrator"],
  effect: "write",
  request: z.object({}),
  reply: z.object({
    deliveryId: z.string().describe("Id of the test notice."),
    deliveries: z.array(Delivered).describe("One for each channel; none when the settings name no channel."),
  }),
});
