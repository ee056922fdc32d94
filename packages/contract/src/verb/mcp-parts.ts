import * as z from "zod";
import { changeFields, Count } from "./output-parts.ts";

export const MCP_CLIENTS = ["claude", "codex", "gemini", "opencode", "cursor", "vscode"] as const;

export const MCP_SCOPES = ["user", "project"] as const;

/** Input of `mcp install` and `mcp uninstall`. */
export const mcpClientFields = {
  client: z.enum(MCP_CLIENTS).describe("Program that uses the MCP server.").meta({ positional: 0 }),
  scope: z
    .enum(MCP_SCOPES)
    .default("user")
    .describe("For you in every folder (user), or for everyone who works in this folder (project)."),
};

const clientFields = {
  client: z.enum(MCP_CLIENTS),
  scope: z.enum(MCP_SCOPES),
  path: z.string().describe("Absolute path of the client's file."),
};

/** Output of `mcp install` and `mcp uninstall`. */
export const mcpChangeFields = {
  ...clientFields,
  server: z.string().describe("Name of the entry in the file."),
  via: z.enum(["file", "client"]).describe("file: claw edits the file. client: the client's own command does."),
  diff: z.string().describe("The lines that change. Values of other entries are left out."),
  backup: z.string().nullable().describe("Copy of the file as it was before; null when there was nothing to copy."),
  remarks: z.array(z.string()).describe("What a person should know: a program or an entry that is not as expected."),
  ...changeFields,
};

/** One file of a client, as `mcp status` shows it. */
export const McpClientEntry = z.object({
  ...clientFields,
  program: z.string().nullable().describe("Path of the client's program; null when it is not on the PATH."),
  state: z
    .enum(["works", "fails", "absent", "foreign", "untried", "unreadable"])
    .describe(
      "works: its command was started and listed tools. foreign: the entry is not claw's. untried: a file of this folder names a command that claw does not start.",
    ),
  argv: z.array(z.string()).nullable().describe("Command line of the entry."),
  current: z.boolean().nullable().describe("Whether claw mcp install would write this command line; null without one."),
  tools: Count.nullable().describe("How many tools the server listed."),
  error: z.string().nullable(),
});
