import type { ModelScript, ScriptedTurn } from "claw-contract";
import { blockText, LIMITS } from "claw-contract";
import type { ModelRequest } from "../provider.ts";

/** The facts of a request that a script may depend on. */
export interface ScriptSituation {
  /** Number of the model's messages so far. */
  readonly turn: number;
  readonly prompt: string;
  readonly toolResult: string;
  readonly toolFailed: boolean;
}

export function situationOf({ messages, answers }: Pick<ModelRequest, "messages" | "answers">): ScriptSituation {
  const asked = messages.findLast(({ role }) => role === "user");
  const results = messages.findLast(({ role }) => role === "tool")?.blocks ?? [];
  const last = results.findLast((block) => block.type === "tool_result");
  return {
    turn: answers ?? messages.filter(({ role }) => role === "assistant").length,
    prompt: asked === undefined ? "" : blockText(asked.blocks, "\n"),
    toolResult: last?.output ?? "",
    toolFailed: last?.is_error ?? true,
  };
}

function fitsSituation({ when }: ScriptedTurn, { prompt, toolResult, toolFailed }: ScriptSituation): boolean {
  if (when === undefined) return true;
  return (
    toolResult.includes(when.tool_result_contains ?? "") &&
    prompt.includes(when.prompt_contains ?? "") &&
    (when.tool_failed === undefined || when.tool_failed === toolFailed)
  );
}

/** The scripted turn for a request; undefined when none of the alternatives fits. */
export function turnFor({ turns }: ModelScript, situation: ScriptSituation): ScriptedTurn | undefined {
  const entry = turns[Math.min(situation.turn, turns.length - 1)] ?? [];
  return (Array.isArray(entry) ? entry : [entry]).find((turn) => fitsSituation(turn, situation));
}

function fillText(text: string, { prompt, toolResult }: ScriptSituation): string {
  const filled = text.replaceAll(/\{\{(prompt|tool_result)\}\}/g, (_, name) =>
    name === "prompt" ? prompt : toolResult,
  );
  return filled.slice(0, LIMITS.modelScriptTextChars);
}

/** Replaces `{{prompt}}` and `{{tool_result}}` in all strings of a value. */
export function fillIn<T>(value: T, situation: ScriptSituation): T {
  if (typeof value === "string") return fillText(value, situation) as T;
  if (Array.isArray(value)) return value.map((item: unknown) => fillIn(item, situation)) as T;
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fillIn(member, situation)])) as T;
}
