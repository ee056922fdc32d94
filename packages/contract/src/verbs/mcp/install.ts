import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { mcpChangeFields, mcpClientFields } from "../../verb/mcp-parts.ts";

export const installMcp = defineVerb({
  name: "mcp install",
  group: "programs",
  summary: "Add claw's MCP server to the configuration of an agent that you use.",
  input: z.object({
    ...mcpClientFields,
    tools: z.enum(["default", "all"]).default("default").describe("Tools that the server lists."),
    start: z.boolean().default(false).describe("A call that needs the daemon of its folder starts the daemon."),
    replace: z.boolean().default(false).describe("Replace a server of the same name that is not claw's."),
  }),
  output: z.object({
    ...mcpChangeFields,
    argv: z.array(z.string()).describe("Command line that the client starts."),
    next: z.array(z.string()).describe("Commands that a person may want next."),
  }),
  errors: ["MCP_CLIENT_CONFIG_INVALID", "MCP_CLIENT_ENTRY_TAKEN", "MCP_CLIENT_CONFIG_BUSY"],
  effect: "write",
  unixOnly: true,
  examples: [
    { description: "Show what would change", command: "claw mcp install codex --dry-run" },
    { description: "For Claude Code, in every folder", command: "claw mcp install claude --start" },
  ],
});
