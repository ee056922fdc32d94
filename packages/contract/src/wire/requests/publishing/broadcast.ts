import * as z from "zod";
import { ROLES } from "../../../events/fields.ts";
import { defineRequest, loose, refusedAs, Word } from "../../define-request.ts";

export const broadcastRequest = defineRequest({
  name: "broadcast",
  summary: "Sends a text to every peer of a role, subscribed or not.",
  from: ["orchestrator"],
  effect: "write",
  routedBy: { names: "peer", field: "peerId" },
  request: z.object({
    text: refusedAs(Word, "text required"),
    targetRole: refusedAs(z.enum([...ROLES, "all"]), "unknown role")
      .optional()
      .describe("Role that gets the text. By default `worker`, or `all` with a peer id."),
    peerId: loose(Word).describe("Sends the text to this peer alone."),
    inject: loose(z.boolean()).describe("Also types the text into the peers' terminals."),
  }),
  reply: z.object({
    deliveredTo: z.int().describe("Number of peers of this machine that got the text."),
    injected: z.int().optional().describe("Number of terminals that took the text, with `inject`."),
    queued: z.int().optional().describe("Number of agents for which the text waits as a command, with `inject`."),
  }),
});
