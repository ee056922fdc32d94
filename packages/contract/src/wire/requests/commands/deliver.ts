import * as z from "zod";
import { LIMITS } from "../../../limits/limits.ts";
import { defineRequest, judged, Word } from "../../define-request.ts";

export const deliverCommandRequest = defineRequest({
  name: "deliver-cmd",
  summary: "Delivers a command to one peer, once for each idempotency key.",
  from: ["orchestrator"],
  effect: "write",
  routedBy: { names: "peer", field: "targetPeerId" },
  request: z.object({
    targetPeerId: Word.describe("Peer that gets the command."),
    cmdTopic: Word.describe("Topic of the command; begins with `cmd.`."),
    idempotencyKey: Word.max(LIMITS.idempotencyKeyLength).describe("A repeated key delivers nothing."),
    payload: judged(z.unknown().describe("The command.")),
  }),
  reply: z.object({
    seq: z.int().describe("Place of the command in the log."),
    duplicate: z.literal(true).optional().describe("Set when the key was used before."),
  }),
});
