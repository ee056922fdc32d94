import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { McpClientEntry } from "../../verb/mcp-parts.ts";

export const mcpStatus = defineVerb({
  name: "mcp status",
  alone: true,
  group: "programs",
  summary: "Tell which agents know claw's MCP server, and try each entry: start its command and list its tools.",
  input: z.object({}),
  output: z.object({ entries: z.array(McpClientEntry) }),
  errors: [],
  effect: "read",
  unixOnly: true,
  examples: [{ description: "Does it work?", command: "claw mcp status" }],
});
