import * as z from "zod";
import { defineRequest, looseOr } from "../../define-request.ts";
import { looseFlag } from "./worker-parts.ts";

const AgentScreen = z.union([
  z.object({ kind: z.enum(["at-rest", "at-work", "unknown"]) }),
  z.object({ kind: z.literal("question"), asks: z.string() }),
]);

export const watchAgentTerminalRequest = defineRequest({
  name: "worker.terminal.watch",
  summary: "Waits until the terminal of a worker's agent has drawn output and rests, and reads its screen.",
  from: ["worker"],
  effect: "guarded read",
  request: z.object({
    after: looseOr(z.number().nullable(), null).describe(
      "Bytes of output after which the screen is read; null reads it as soon as it rests.",
    ),
    calm: looseFlag("Whether the screen of a terminal that goes on drawing is left unread."),
  }),
  reply: z.object({
    total: z.number().describe("Bytes of output until the look."),
    shown: AgentScreen.nullable().describe("What the screen shows; null when it was not read."),
    quiet: z.boolean().describe("Whether the terminal drew no output for a moment before the look."),
  }),
});
