import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { Count, ToolEntry } from "../../verb/output-parts.ts";

export const toolPool = defineVerb({
  name: "tool-pool",
  group: "ask",
  summary: "List the tools that the agent may call in this folder.",
  input: z.object({
    simpleMode: z.boolean().default(false).describe("List only tools that run commands, read or edit files."),
    noMcp: z.boolean().default(false).describe("Leave out the tools of MCP servers, and start no server."),
  }),
  output: z.object({
    simple_mode: z.boolean(),
    include_mcp: z.boolean(),
    tool_count: Count,
    tools: z.array(ToolEntry),
  }),
  errors: [],
  effect: "read",
  examples: [{ description: "Without tool servers", command: "claw tool-pool --no-mcp" }],
});
