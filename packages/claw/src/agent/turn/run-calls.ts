import type { ContentBlock } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import type { AnyTool, ToolOutput } from "../tools/tool.ts";
import { findTool } from "../tools/create-tools.ts";
import { runToolCall } from "./run-call.ts";
import type { Emit } from "./run-turn.ts";
import type { TurnConfig } from "./turn-config.ts";

type Call = ContentBlock & { readonly type: "tool_use" };
type Result = ContentBlock & { readonly type: "tool_result" };

interface KnownCall {
  readonly call: Call;
  readonly tool: AnyTool | undefined;
}

/** Groups calls that may run at once: neighbouring calls of read-only tools. Any other call runs alone, in order. */
export function groupCalls(calls: readonly KnownCall[]): KnownCall[][] {
  const groups: KnownCall[][] = [];
  for (const known of calls) {
    const group = groups.at(-1);
    const joins = known.tool?.readOnly === true && group?.[0]?.tool?.readOnly === true;
    if (joins && group.length < LIMITS.toolsAtOnce) group.push(known);
    else groups.push([known]);
  }
  return groups;
}

function unknownTool(name: string, tools: readonly AnyTool[]): ToolOutput {
  const names = tools.map((tool) => tool.name).join(", ");
  return { output: `There is no tool '${name}'. There are: ${names}`, isError: true };
}

/** The output for the model when a call fails with a ClawError. Any other error ends the turn. */
function failedOutput(error: unknown, signal: AbortSignal): ToolOutput {
  signal.throwIfAborted();
  if (!(error instanceof ClawError)) throw error;
  return { output: `${error.message}\n${error.hint}`, isError: true };
}

async function resultOf(
  { call, tool }: KnownCall,
  config: TurnConfig,
  emit: Emit,
  signal: AbortSignal,
): Promise<Result> {
  const done = await (tool === undefined
    ? unknownTool(call.name, config.tools)
    : runToolCall(call, tool, config, { emit, signal }).catch((error: unknown) => failedOutput(error, signal)));
  const output = config.redactor.redactText(done.output);
  const name = tool?.name ?? call.name;
  emit({ kind: "tool-result", id: call.id, name, output, isError: done.isError });
  return { type: "tool_result", tool_use_id: call.id, tool_name: name, output, is_error: done.isError };
}

/**
 * Runs the calls of one message and resolves with their results in the order of the calls. Neighbouring calls of
 * read-only tools run side by side. After an abort, waits for the running calls and rejects with the signal's reason.
 */
export async function runCalls(
  calls: readonly Call[],
  config: TurnConfig,
  emit: Emit,
  signal: AbortSignal,
): Promise<Result[]> {
  const known = calls.map((call) => ({ call, tool: findTool(config.tools, call.name) }));
  const results: Result[] = [];
  for (const group of groupCalls(known)) {
    const settled = await Promise.allSettled(group.map((member) => resultOf(member, config, emit, signal)));
    signal.throwIfAborted();
    for (const outcome of settled) {
      if (outcome.status === "rejected") throw outcome.reason;
      results.push(outcome.value);
    }
  }
  return results;
}
