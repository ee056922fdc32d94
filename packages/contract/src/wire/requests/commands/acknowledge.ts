import * as z from "zod";
import { defineRequest, judged, loose, Word } from "../../define-request.ts";

export const acknowledgeCommandRequest = defineRequest({
  name: "cmd.ack",
  summary: "Says what a worker did with a delivered command.",
  from: ["worker"],
  effect: "write",
  request: z.object({
    seq: judged(z.int().min(0).describe("Required. Place of the command in the log.")),
    status: judged(z.string().describe("Required. What the worker did.")),
    correlation_id: loose(Word),
  }),
  reply: z.object({}),
});
