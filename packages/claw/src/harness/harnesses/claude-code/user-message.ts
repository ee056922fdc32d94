import type { JsonObject } from "@claw/contract";
import { arrayOf, isObject, objectOf, stringOf, textOf } from "../../json-fields.ts";
import type { RunUpdate } from "../../run-update.ts";
import type { StreamState } from "../../stream-state.ts";

const NOTHING: readonly RunUpdate[] = [];

/** The text of a tool's result, which is a string or a list of blocks. */
function outputOf(content: unknown): string {
  if (typeof content === "string") return content;
  const texts = arrayOf(content).flatMap((block) => (isObject(block) ? [textOf(block["text"])] : []));
  return texts.join("\n");
}

/** What went back to the model: results of tools; other words to it mean nothing for the run. */
export function translateUser(native: JsonObject, state: StreamState): readonly RunUpdate[] {
  let updates: RunUpdate[] | undefined;
  for (const block of arrayOf(objectOf(native["message"])["content"])) {
    if (!isObject(block) || block["type"] !== "tool_result") continue;
    const id = textOf(block["tool_use_id"]);
    state.openCalls.delete(id);
    updates ??= [];
    updates.push({
      kind: "tool-result",
      id,
      failed: block["is_error"] === true,
      output: outputOf(block["content"]),
      agent: stringOf(native["parent_tool_use_id"]),
    });
  }
  return updates ?? NOTHING;
}
