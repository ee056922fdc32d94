import * as z from "zod";
import { NOTICE_CHANNELS } from "../../notify/notice.ts";
import { BUS_ERRORS } from "../../verb/bus-parts.ts";
import { defineVerb } from "../../verb/define-verb.ts";
import { changeFields, Count } from "../../verb/output-parts.ts";

export const notifyTest = defineVerb({
  name: "notify test",
  group: "workers",
  summary: "Deliver a test notice through the command and the webhook of the settings, as the daemon does.",
  input: z.object({}),
  output: z.object({
    delivery_id: z.string().nullable().describe("Id of the test notice; null in a dry run."),
    deliveries: z.array(
      z.object({
        channel: z.enum(NOTICE_CHANNELS),
        delivered: z.boolean(),
        detail: z.string().describe("What the command or the webhook answered, or why it did not."),
        duration_ms: Count,
      }),
    ),
    ...changeFields,
  }),
  errors: [...BUS_ERRORS, "NOTIFY_FAILED", "NOTIFY_NOT_SET"],
  effect: "write",
  examples: [{ description: "Does a notice arrive?", command: "claw notify test" }],
});
