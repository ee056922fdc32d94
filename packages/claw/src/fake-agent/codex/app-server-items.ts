import type { JsonObject } from "claw-contract";
import type { NativeTool } from "./native-tool.ts";
import { shellLine } from "./native-tool.ts";

/** An item of the app-server, without the times that every one has. */
export type PlayedItem = JsonObject & { readonly type: string; readonly id: string };

export type ItemStatus = "inProgress" | "completed" | "failed" | "declined";

export const agentMessage = (id: string, text: string): PlayedItem => ({
  type: "agentMessage",
  id,
  text,
  phase: null,
  memoryCitation: null,
  delivery: null,
  questions: null,
});

export const userMessage = (id: string, text: string): PlayedItem => ({
  type: "userMessage",
  id,
  clientId: null,
  content: [{ type: "text", text, text_elements: [] }],
});

export const reasoning = (id: string, summary: readonly string[]): PlayedItem => ({
  type: "reasoning",
  id,
  summary,
  content: [],
});

/** What a command does, as far as Codex can tell. */
export const commandActions = (command: string): JsonObject[] => [{ type: "unknown", command }];

interface ToolState {
  readonly id: string;
  readonly cwd: string;
  readonly status: ItemStatus;
  readonly output: string;
}

function commandItem(command: string, { id, cwd, status, output }: ToolState): PlayedItem {
  const ran = status === "completed" || status === "failed";
  return {
    type: "commandExecution",
    id,
    pluginId: null,
    scriptPath: null,
    command: shellLine(command),
    cwd,
    processId: ran ? "1" : null,
    source: ran ? "unifiedExecStartup" : "agent",
    status,
    commandActions: commandActions(command),
    aggregatedOutput: ran ? output : null,
    exitCode: ran ? Number(status === "failed") : null,
    durationMs: ran ? 1 : null,
  };
}

/** A tool at work, or after it. */
export function toolItem(tool: NativeTool, state: ToolState): PlayedItem {
  const { id, status, output } = state;
  if (tool.kind === "command") return commandItem(tool.command, state);
  if (tool.kind === "files") {
    const changes = [{ path: tool.path, kind: { type: tool.change }, diff: tool.text }];
    return { type: "fileChange", id, changes, status };
  }
  const over = status !== "inProgress";
  return {
    type: "mcpToolCall",
    id,
    server: tool.server,
    tool: tool.tool,
    status,
    arguments: tool.arguments,
    appContext: null,
    mcpAppUi: null,
    pluginId: null,
    readOnlyHint: null,
    result: over ? { content: [{ type: "text", text: output }], structuredContent: null, _meta: null } : null,
    error: null,
    durationMs: over ? 1 : null,
  };
}

export interface CollabFacts {
  readonly id: string;
  readonly tool: "spawnAgent" | "wait";
  readonly sender: string;
  readonly receivers: readonly string[];
  readonly prompt: string | null;
  readonly model: string | null;
  readonly states: JsonObject;
  readonly status: ItemStatus;
}

export const collabItem = ({
  id,
  tool,
  sender,
  receivers,
  prompt,
  model,
  states,
  status,
}: CollabFacts): PlayedItem => ({
  type: "collabAgentToolCall",
  id,
  tool,
  status,
  senderThreadId: sender,
  receiverThreadIds: receivers,
  prompt,
  model,
  reasoningEffort: model === null ? null : "medium",
  agentsStates: states,
});
