import type { JsonObject } from "claw-contract";
import { arrayOf, isObject, objectOf, stringOrNull, textOf } from "claw-contract";

/** An item of either protocol of Codex, with one spelling for both. */
export interface CodexItem {
  readonly id: string;
  /** In the spelling of `codex exec`: `agent_message`, `command_execution`, … */
  readonly type: string;
  readonly status: string | null;
  readonly fields: JsonObject;
}

/** The app-server's spelling of the items that mean something for a run. */
const EXEC_SPELLING: ReadonlyMap<string, string> = new Map([
  ["agentMessage", "agent_message"],
  ["commandExecution", "command_execution"],
  ["fileChange", "file_change"],
  ["mcpToolCall", "mcp_tool_call"],
  ["collabToolCall", "collab_tool_call"],
  ["collabAgentToolCall", "collab_tool_call"],
  ["webSearch", "web_search"],
]);

/** Reads an item of `codex exec`. */
export function readExecItem(value: unknown): CodexItem {
  const fields = objectOf(value);
  return { id: textOf(fields["id"]), type: textOf(fields["type"]), status: stringOrNull(fields["status"]), fields };
}

/** Reads an item of the app-server. */
export function readServerItem(value: unknown): CodexItem {
  const item = readExecItem(value);
  return { ...item, type: EXEC_SPELLING.get(item.type) ?? item.type };
}

/** Tool and input of an item that is a call; undefined for other items. */
export function readCall({
  type,
  fields,
}: CodexItem): { readonly name: string; readonly input: JsonObject } | undefined {
  switch (type) {
    case "command_execution":
      return { name: type, input: { command: fields["command"] } };
    case "file_change":
      return { name: type, input: { changes: fields["changes"] } };
    case "mcp_tool_call":
      return {
        name: `mcp__${textOf(fields["server"])}__${textOf(fields["tool"])}`,
        input: objectOf(fields["arguments"]),
      };
    case "collab_tool_call":
      return { name: textOf(fields["tool"]), input: { prompt: fields["prompt"] } };
    case "web_search":
      return { name: type, input: { query: fields["query"] } };
    default:
      return undefined;
  }
}

/** The output of a call, as text. */
export function outputOf({ fields }: CodexItem): string {
  const text = fields["aggregated_output"] ?? fields["aggregatedOutput"] ?? objectOf(fields["error"])["message"];
  if (typeof text === "string") return text;
  const content = arrayOf(objectOf(fields["result"])["content"]);
  return content.flatMap((block) => (isObject(block) ? [textOf(block["text"])] : [])).join("\n");
}

/** Calls that ended otherwise than well: `failed`, `declined`, or with an exit that is not zero. */
export function hasFailed({ status, fields }: CodexItem): boolean {
  const exit = fields["exit_code"] ?? fields["exitCode"];
  return (status !== null && status !== "completed") || (typeof exit === "number" && exit !== 0);
}

/** What sub-agents have said, by the id of their conversation. */
export function subagentTexts({ fields }: CodexItem): readonly (readonly [string, string])[] {
  const states = objectOf(fields["agents_states"] ?? fields["agentsStates"]);
  return Object.entries(states).flatMap(([thread, state]) => {
    const text = stringOrNull(objectOf(state)["message"]);
    return text === null || text === "" ? [] : [[thread, text] as const];
  });
}
