import type { JsonObject } from "claw-contract";
import type { McpToolCall, ToolDefinition } from "../../../packages/claw/src/mcp/layer/tool.ts";
import { fixtureTool, text } from "./fixture-tool.ts";

const MESSAGE = { type: "object", properties: { message: { type: "string" } }, required: ["message"] };
const PROMPT = { type: "object", properties: { prompt: { type: "string" } }, required: ["prompt"] };

const object = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
  type: "object",
  properties,
  ...(required.length === 0 ? {} : { required }),
});

/** Asks the person at the client, in the way of the protocol up to 2025-11-25. */
const elicit = ({ sdk }: McpToolCall, message: string, requestedSchema: JsonObject) =>
  sdk.context.mcpReq.elicitInput({ mode: "form", message, requestedSchema: requestedSchema as never });

const USER = object({ username: { type: "string" }, email: { type: "string" } }, ["username", "email"]);

const DEFAULTS = object({
  name: { type: "string", default: "John Doe" },
  age: { type: "integer", default: 30 },
  score: { type: "number", default: 95.5 },
  status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
  verified: { type: "boolean", default: true },
});

const titled = (values: Readonly<Record<string, string>>): JsonObject[] =>
  Object.entries(values).map(([value, title]) => ({ const: value, title }));

const ENUMS = object({
  untitledSingle: { type: "string", enum: ["option1", "option2", "option3"] },
  titledSingle: {
    type: "string",
    oneOf: titled({ value1: "First Option", value2: "Second Option", value3: "Third Option" }),
  },
  legacyEnum: {
    type: "string",
    enum: ["opt1", "opt2", "opt3"],
    enumNames: ["Option One", "Option Two", "Option Three"],
  },
  untitledMulti: { type: "array", items: { type: "string", enum: ["option1", "option2", "option3"] } },
  titledMulti: {
    type: "array",
    items: { anyOf: titled({ value1: "First Choice", value2: "Second Choice", value3: "Third Choice" }) },
  },
});

async function askDefaults(call: McpToolCall, schema: JsonObject) {
  const { action, content } = await elicit(call, "Please answer", schema);
  return text(`Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`);
}

/** Tools that ask in the middle of a call. Only the protocol up to 2025-11-25 has that. */
export const ASKING_TOOLS: readonly ToolDefinition[] = [
  fixtureTool(
    "test_elicitation",
    async ({ message }, call) => text(`User response: ${JSON.stringify(await elicit(call, String(message), USER))}`),
    MESSAGE,
  ),
  fixtureTool(
    "test_sampling",
    async ({ prompt }, { sdk }) => {
      const { content } = await sdk.context.mcpReq.requestSampling({
        messages: [{ role: "user", content: { type: "text", text: String(prompt) } }],
        maxTokens: 100,
      });
      return text(`LLM response: ${"text" in content ? content.text : ""}`);
    },
    PROMPT,
  ),
  fixtureTool("test_elicitation_sep1034_defaults", (_input, call) => askDefaults(call, DEFAULTS)),
  fixtureTool("test_elicitation_sep1330_enums", (_input, call) => askDefaults(call, ENUMS)),
];
