import type { JsonObject } from "@claw/contract";
import { ClawError } from "@claw/contract";
import type { AnyTool } from "../agent/index.ts";
import type * as OpenAgent from "./open-agent.ts";

/** How a tool's input is checked, which needs the schema library. */
export type PayloadChecks = Pick<typeof OpenAgent, "checkToolInput">;

/** The payload as a JSON object, when it is one. */
function readObject(payload: string): JsonObject | undefined {
  if (!payload.trimStart().startsWith("{")) return undefined;
  try {
    return JSON.parse(payload) as JsonObject;
  } catch {
    // A shell command may begin with a brace too.
    return undefined;
  }
}

/**
 * The input of a tool from what was typed: a JSON object, or the text of the tool's main field. Throws
 * INVALID_FLAG_VALUE when the tool does not take it.
 */
export function readPayload(tool: AnyTool, payload: string, { checkToolInput }: PayloadChecks): never {
  const given = readObject(payload) ?? (payload.trim() === "" ? {} : { [tool.mainField]: payload });
  const reading = checkToolInput(tool, given);
  if (reading.kind === "input") return reading.input;
  throw new ClawError("INVALID_FLAG_VALUE", `PAYLOAD: ${reading.message}`, {
    operation: "parse_arguments",
    target: "PAYLOAD",
    hint: `Give a JSON object as \`claw show-tool ${tool.name}\` describes it, or the text of its field '${tool.mainField}'.`,
  });
}
