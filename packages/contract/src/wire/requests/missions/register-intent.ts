import * as z from "zod";
import { defineRequest, Word } from "../../define-request.ts";

export const registerIntentRequest = defineRequest({
  name: "monitors.register-intent",
  summary: "Announces a monitor that is about to connect.",
  from: "any client",
  effect: "write",
  request: z.object({ correlation_id: Word.describe("Correlation id that will be monitored.") }),
  reply: z.object({}),
});
