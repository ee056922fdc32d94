import type { VerbOutput } from "claw-contract";
import { ClawError, LIMITS, nearest } from "claw-contract";
import type { AnyTool } from "../../../agent/index.ts";

const namesOf = ({ name, aliases }: AnyTool): readonly string[] =>
  [name, ...aliases].map((known) => known.toLowerCase());

/** The tools that a mistyped name most likely meant, by any of their names. */
function similarTools(tools: readonly AnyTool[], name: string): string[] {
  const owners = new Map(tools.flatMap((tool) => namesOf(tool).map((known) => [known, tool.name] as const)));
  const close = nearest(name, owners.keys(), { limit: owners.size }).flatMap((known) => owners.get(known) ?? []);
  return [...new Set(close)].slice(0, LIMITS.suggestions);
}

/** The tool of a name or alias, in any case. Throws TOOL_NOT_FOUND, which names those that are meant most likely. */
export function requireTool(tools: readonly AnyTool[], name: string): AnyTool {
  const tool = tools.find((candidate) => namesOf(candidate).includes(name.toLowerCase()));
  if (tool !== undefined) return tool;
  const target = name.slice(0, 200);
  const suggestions = similarTools(tools, name);
  throw new ClawError("TOOL_NOT_FOUND", `there is no tool '${target}'`, {
    operation: "find_tool",
    target,
    ...(suggestions.length === 0 ? {} : { hint: `Did you mean ${suggestions.join(" or ")}?` }),
    details: { suggestions },
  });
}

/** Tools of MCP servers have their server in their name. */
export const isOfServer = (name: string): boolean => name.toLowerCase().startsWith("mcp__");

/** A tool as answers show it. */
export const describeTool = (tool: AnyTool): VerbOutput<"tool-pool">["tools"][number] => ({
  name: tool.name,
  source_hint: tool.sourceHint,
  responsibility: tool.responsibility,
  required_permission: tool.requires ?? (tool.readOnly ? "read-only" : "workspace-write"),
  aliases: [...tool.aliases],
});
