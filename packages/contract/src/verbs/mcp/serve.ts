import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count } from "../../verb/output-parts.ts";
import { TOOL_SETS } from "../../tools/tool-sets.ts";
import { MAX_HOLD_SECONDS, MAX_TOOL_WAIT_SECONDS } from "../../tools/tool-limits.ts";

export const serveMcp = defineVerb({
  name: "mcp serve",
  group: "programs",
  summary: "Offer claw's tools to another agent, over MCP on standard input and output.",
  input: z.object({
    tools: z
      .enum(TOOL_SETS)
      .default("default")
      .describe("Which tools to list: those that a lead needs, or one for every command and every name of claws 0.8."),
    holdSeconds: z
      .int()
      .min(1)
      .max(MAX_HOLD_SECONDS)
      .default(MAX_TOOL_WAIT_SECONDS)
      .describe(
        "How long one call may wait for workers. More than the default is for clients whose time limit progress extends.",
      ),
    start: z.boolean().default(false).describe("Start the daemon of this folder when a call needs the daemon."),
  }),
  output: z.object({
    messages_count: Count.describe("Messages of the client; the answer is printed only when there were none."),
  }),
  errors: ["INTERACTIVE_ONLY"],
  effect: "read",
  unlimited: true,
  plays: true,
  unixOnly: true,
  examples: [
    { description: "What an agent's settings name as the server", command: "claw mcp serve --start" },
    { description: "With the tools of claws 0.8", command: "claw mcp serve --tools all" },
  ],
});
