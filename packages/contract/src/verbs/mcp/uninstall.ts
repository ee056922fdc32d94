import * as z from "zod";
import { defineVerb } from "../../verb/define-verb.ts";
import { mcpChangeFields, mcpClientFields } from "../../verb/mcp-parts.ts";

export const uninstallMcp = defineVerb({
  name: "mcp uninstall",
  group: "programs",
  summary: "Remove claw's entry from the configuration of an agent, and nothing else.",
  input: z.object(mcpClientFields),
  output: z.object({
    ...mcpChangeFields,
    restored: z.boolean().describe("Whether the file has again exactly the bytes it had before claw mcp install."),
  }),
  errors: ["MCP_CLIENT_CONFIG_INVALID", "MCP_CLIENT_CONFIG_BUSY"],
  effect: "delete",
  unixOnly: true,
  examples: [{ description: "Remove it from Codex", command: "claw mcp uninstall codex" }],
});
