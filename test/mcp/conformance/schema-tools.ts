import type { ToolDefinition } from "../../../packages/claw/src/mcp/layer/tool.ts";
import { fixtureTool, text } from "./fixture-tool.ts";

const RICH_SCHEMA = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  $defs: {
    address: {
      $anchor: "addressDef",
      type: "object",
      properties: { street: { type: "string" }, city: { type: "string" } },
    },
  },
  properties: {
    name: { type: "string" },
    address: { $ref: "#/$defs/address" },
    contactMethod: { type: "string", enum: ["phone", "email"] },
    phone: { type: "string" },
    email: { type: "string" },
  },
  allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
  if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ["phone"] },
  else: { required: ["email"] },
  additionalProperties: false,
};

const HEADERS_SCHEMA = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    priority: { type: "integer", "x-mcp-header": "Priority" },
    query: { type: "string" },
  },
  required: ["region"],
};

/** Tools whose input schemas matter. */
export const SCHEMA_TOOLS: readonly ToolDefinition[] = [
  fixtureTool("json_schema_2020_12_tool", () => text("The schema is what matters."), RICH_SCHEMA),
  fixtureTool("test_custom_headers", () => text("The headers fit."), HEADERS_SCHEMA),
];
