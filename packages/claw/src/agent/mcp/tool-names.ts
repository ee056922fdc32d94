import { createHash } from "node:crypto";

/** A tool under the name that the MCP server uses. */
export interface ForeignTool {
  readonly server: string;
  readonly tool: string;
}

/** Longest tool name that providers accept. */
const TOOL_NAME_CHARS = 64;
const HASH_CHARS = 8;

const safeChars = (text: string): string => text.replaceAll(/[^A-Za-z0-9_-]/g, "_");

function hashed(name: string, { server, tool }: ForeignTool): string {
  const hash = createHash("sha256").update(`${server}\0${tool}`).digest("hex").slice(0, HASH_CHARS);
  return `${name.slice(0, TOOL_NAME_CHARS - HASH_CHARS - 1)}_${hash}`;
}

/**
 * Gives each tool a name that models can call: `mcp__server__tool`. A name that is too long, or that several tools
 * share, ends in a hash of server and tool. So no name depends on the order of the list. The names come in the order of
 * `tools`.
 */
export function nameTools(tools: readonly ForeignTool[]): string[] {
  const names = tools.map(({ server, tool }) => `mcp__${safeChars(server)}__${safeChars(tool)}`);
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return tools.map((tool, index) => {
    const name = names[index] ?? "";
    return name.length > TOOL_NAME_CHARS || counts.get(name) !== 1 ? hashed(name, tool) : name;
  });
}
