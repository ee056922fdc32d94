import type { JsonObject } from "claw-contract";
import { arrayOf, isObject, objectOf, stringOrNull, textOf } from "claw-contract";
import type { RunUpdate } from "../../stream/run-update.ts";
import { saysSandbox } from "../../result/refusals.ts";
import type { StreamState } from "../../stream/stream-state.ts";
import { NO_UPDATES } from "../../stream/run-update.ts";

/** The text of a tool's result, which is a string or a list of blocks. */
function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  const texts = arrayOf(content).flatMap((block) => (isObject(block) ? [textOf(block["text"])] : []));
  return texts.join("\n");
}

/** A command that Claude Code's sandbox kept from writing. It is told to the model alone, as the command's output. */
function stoppedBySandbox(result: RunUpdate & { readonly kind: "tool-result" }, state: StreamState): RunUpdate[] {
  const { id, failed, output } = result;
  const name = state.openCalls.get(id)?.name;
  if (!failed || name !== "Bash" || !state.isSandboxed || !saysSandbox(output)) return [];
  return [{ kind: "permission-denied", tool: name, id, input: undefined, reason: "sandbox" }];
}

/** Translates the results of tools. Other messages to the model mean nothing for the run. */
export function translateUser(native: JsonObject, state: StreamState): readonly RunUpdate[] {
  let updates: RunUpdate[] | undefined;
  for (const block of arrayOf(objectOf(native["message"])["content"])) {
    if (!isObject(block) || block["type"] !== "tool_result") continue;
    const result = {
      kind: "tool-result",
      id: textOf(block["tool_use_id"]),
      failed: block["is_error"] === true,
      output: resultText(block["content"]),
      agent: stringOrNull(native["parent_tool_use_id"]),
    } as const;
    updates ??= [];
    updates.push(result, ...stoppedBySandbox(result, state));
    state.openCalls.delete(result.id);
  }
  return updates ?? NO_UPDATES;
}
