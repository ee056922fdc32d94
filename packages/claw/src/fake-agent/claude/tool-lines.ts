import type { JsonObject } from "claw-contract";
import { textOf } from "claw-contract";
import type { SubAgent, ToolStep } from "../voice.ts";
import type { ClaudeSession } from "./claude-session.ts";
import { userLine } from "./message-lines.ts";

/** Decisions that let a tool run: by a rule, or by the user. */
export const BY_RULE = { decision: "accept", source: "config", reason_type: "rule" };
export const BY_USER = { decision: "accept", source: "user_temporary" };

function editResult(input: JsonObject): JsonObject {
  const [oldString, newString] = [textOf(input["old_string"]), textOf(input["new_string"])];
  const lines = [`-${oldString}`, `+${newString}`];
  return {
    filePath: textOf(input["file_path"]),
    oldString,
    newString,
    originalFile: oldString,
    structuredPatch: [{ oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines }],
    userModified: false,
    replaceAll: false,
  };
}

/** The structured form of a result, which differs for each tool. */
function structured({ name, input, output }: Pick<ToolStep, "name" | "input" | "output">): unknown {
  switch (name) {
    case "Bash":
      return { stdout: output, stderr: "", interrupted: false, isImage: false, noOutputExpected: false };
    case "Write":
      return {
        type: "create",
        filePath: textOf(input["file_path"]),
        content: textOf(input["content"]),
        structuredPatch: [],
        originalFile: null,
        userModified: false,
      };
    case "Read": {
      const numLines = output.split("\n").length;
      const file = {
        filePath: textOf(input["file_path"]),
        content: output,
        numLines,
        startLine: 1,
        totalLines: numLines,
      };
      return { type: "text", file };
    }
    case "Edit":
      return editResult(input);
    default:
      return [{ type: "text", text: output }];
  }
}

/** The block of a result. Only the shell states explicitly that the call did not fail. */
function resultBlock({ name, output }: ToolStep, id: string): JsonObject {
  const block = { tool_use_id: id, type: "tool_result" };
  if (name === "Bash") return { ...block, content: output, is_error: false };
  if (name === "Write" || name === "Read" || name === "Edit") return { ...block, content: output };
  return { ...block, content: [{ type: "text", text: output }] };
}

const failedBlock = (id: string, content: string): JsonObject => ({
  type: "tool_result",
  content,
  is_error: true,
  tool_use_id: id,
});

/** The result of a tool that ran. */
export function toolResultLine(
  session: ClaudeSession,
  step: ToolStep,
  {
    id,
    decision,
    agent,
  }: { readonly id: string; readonly decision: JsonObject; readonly agent?: SubAgent | undefined },
): JsonObject {
  const tool_result_meta = [{ id, permission_decision: decision }];
  if (agent !== undefined) {
    const block = { tool_use_id: id, type: "tool_result", content: step.output, is_error: step.failed };
    return userLine(session, [block], { agent, more: { tool_result_meta } });
  }
  if (!step.failed) {
    const more = { tool_use_result: structured(step), tool_result_meta };
    return userLine(session, [resultBlock(step, id)], { more });
  }
  const more = { tool_use_result: `Error: ${step.output}`, tool_result_meta };
  return userLine(session, [failedBlock(id, step.output)], { more });
}

/** The result of a tool that did not run. */
export function refusedLine(
  session: ClaudeSession,
  id: string,
  { reason, meta }: { readonly reason: string; readonly meta: JsonObject | null },
): JsonObject {
  const tool_use_result = `Error: ${reason}`;
  const more = meta === null ? { tool_use_result } : { tool_use_result, tool_result_meta: [{ id, ...meta }] };
  return userLine(session, [failedBlock(id, reason)], { more });
}
