import type { CallToolResult, Server, ServerContext } from "@modelcontextprotocol/server";
import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { JsonObject } from "claw-contract";
import type { Caller, Era } from "./caller.ts";
import type { McpTables } from "./mcp-tables.ts";
import { requestCall } from "./request-call.ts";
import type { ToolAnswer, McpToolCall, ToolDefinition, McpToolResult } from "./tool.ts";

/** Lists of tools by role: the list depends on nothing else. */
export function createToolIndex({ tools }: Pick<McpTables, "tools">, caller: Caller) {
  let known: Promise<ReadonlyMap<string, ToolDefinition>> | undefined;
  return (): Promise<ReadonlyMap<string, ToolDefinition>> =>
    (known ??= tools(caller).then((list) => new Map(list.map((tool) => [tool.name, tool]))));
}

export type ToolIndex = ReturnType<typeof createToolIndex>;

const blocksOf = ({ content, text, data }: McpToolResult): readonly JsonObject[] =>
  content ?? [{ type: "text", text: text ?? JSON.stringify(data ?? {}) }];

function resultOf(answer: McpToolResult): JsonObject {
  return {
    content: blocksOf(answer),
    ...(answer.data === undefined ? {} : { structuredContent: answer.data }),
    ...(answer.isError ? { isError: true } : {}),
    ...(answer.meta === undefined ? {} : { _meta: answer.meta }),
  };
}

/** An answer as the protocol writes it. */
export function wireAnswer(answer: ToolAnswer): JsonObject {
  if (answer.kind === "result") return resultOf(answer);
  if (answer.kind === "task") return { resultType: "task", ...answer.task };
  const { inputRequests, requestState } = answer;
  return {
    resultType: "input_required",
    ...(inputRequests === undefined ? {} : { inputRequests }),
    ...(requestState === undefined ? {} : { requestState }),
  };
}

export function toolCall(server: Server, context: ServerContext, who: { caller: Caller; era: Era }): McpToolCall {
  const { inputResponses } = context.mcpReq;
  const state: unknown = context.mcpReq.requestState();
  return {
    ...requestCall(server, context, who),
    inputResponses: inputResponses === undefined ? null : inputResponses,
    requestState: typeof state === "string" ? state : null,
  };
}

export interface CallRequest {
  readonly name: string;
  readonly arguments?: JsonObject | undefined;
}

export interface Served {
  readonly server: Server;
  readonly tables: McpTables;
  readonly who: { readonly caller: Caller; readonly era: Era };
}

/** Answers `tools/call`. Rejects with a protocol error for an unknown tool; a tool's own failure is a result. */
export async function callTool(
  { server, tables, who }: Served,
  index: ToolIndex,
  { name, arguments: input = {} }: CallRequest,
  context: ServerContext,
): Promise<CallToolResult> {
  const tool = (await index()).get(name);
  if (tool === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 200)}`);
  }
  const answer = await tool.run(input, toolCall(server, context, who)).catch((error: unknown): McpToolResult => {
    if (error instanceof ProtocolError) throw error;
    return tables.failure(error, tool);
  });
  return wireAnswer(answer) as unknown as CallToolResult;
}
