import type { JsonObject } from "claw-contract";
import { ClawError } from "claw-contract";
import type { AnyTool } from "../../../agent/index.ts";
import type * as OpenAgent from "../open-agent.ts";

/** How a tool's input is checked, which needs the schema library. */
export type PayloadChecks = Pick<typeof OpenAgent, "checkToolInput">;

/** How JSON objects begin, also mistyped ones; shell commands, globs and file names do not. */
const OBJECT_BEGINS = /^\s*\{\s*(?:["'}]|[\w-]+\s*:|$)/;

/** The payload as a JSON object; undefined when it is none. Throws what JSON.parse says of a broken one. */
function readObject(payload: string): JsonObject | undefined {
  return OBJECT_BEGINS.test(payload) ? (JSON.parse(payload) as JsonObject) : undefined;
}

function payloadError(tool: AnyTool, why: string): ClawError {
  return new ClawError("INVALID_FLAG_VALUE", `PAYLOAD: ${why}`, {
    operation: "parse_arguments",
    target: "PAYLOAD",
    hint: `Give a JSON object as \`claw show-tool ${tool.name}\` describes it, or the text of its field '${tool.mainField}'.`,
  });
}

/** The payload as the fields of the tool's input. */
function fieldsOf(tool: AnyTool, payload: string): JsonObject {
  try {
    return readObject(payload) ?? (payload.trim() === "" ? {} : { [tool.mainField]: payload });
  } catch (error) {
    throw payloadError(tool, `it begins like a JSON object and is none: ${(error as Error).message}`);
  }
}

/**
 * The input of a tool from what was typed: a JSON object, or the text of the tool's main field. Throws
 * INVALID_FLAG_VALUE when the tool does not take it.
 */
export function readPayload(tool: AnyTool, payload: string, { checkToolInput }: PayloadChecks): never {
  const reading = checkToolInput(tool, fieldsOf(tool, payload));
  if (reading.kind === "input") return reading.input;
  throw payloadError(tool, reading.message);
}
