import type { ToolResult } from "../../model-server/conversation.ts";

/** The scripted server's ids say which request was answered with the call, and which of its calls it was. */
function placeOf({ id }: ToolResult): { readonly request: string; readonly index: number } {
  const [, request = "", index = ""] = /_(\d+)_(\d+)$/.exec(id) ?? [];
  return { request, index: Number(index) };
}

/** Results by the answer that called for them, those of one answer in the order of its calls, whatever order they came in. */
export function roundsOf(results: readonly ToolResult[]): ToolResult[][] {
  const rounds = new Map<string, ToolResult[]>();
  for (const result of results) {
    const { request } = placeOf(result);
    rounds.set(request, [...(rounds.get(request) ?? []), result]);
  }
  return [...rounds.values()].map((round) =>
    round.toSorted((left, right) => placeOf(left).index - placeOf(right).index),
  );
}
