import type { JsonObject } from "claw-contract";
import type { ToolAnswer, McpToolCall, ToolDefinition } from "../../../packages/claw/src/mcp/layer/tool.ts";

const HINTS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const NO_INPUT = { type: "object", properties: {}, additionalProperties: true };

/** A tool that the conformance suite expects a server to have. */
export const fixtureTool = (
  name: string,
  run: (input: JsonObject, call: McpToolCall) => Promise<ToolAnswer> | ToolAnswer,
  inputSchema: JsonObject = NO_INPUT,
): ToolDefinition => ({
  name,
  title: name,
  description: `The tool ${name} of the conformance suite.`,
  inputSchema,
  annotations: HINTS,
  run: async (input, call) => run(input, call),
});

export const text = (said: string): ToolAnswer => ({ kind: "result", text: said });

export const content = (...blocks: JsonObject[]): ToolAnswer => ({ kind: "result", content: blocks });

/** One red pixel. */
export const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";

/** A wave file without a sample. */
export const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

/** A question to the person at the client, for one field. */
export const elicitation = (message: string, field: string, type = "string"): JsonObject => ({
  method: "elicitation/create",
  params: {
    mode: "form",
    message,
    requestedSchema: { type: "object", properties: { [field]: { type } }, required: [field] },
  },
});
