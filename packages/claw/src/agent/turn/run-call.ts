import type { ContentBlock, JsonObject } from "claw-contract";
import { ClawError } from "claw-contract";
import type { HookVerdict } from "../hooks/hooks.ts";
import type { PermissionVerdict } from "../permissions/permission.ts";
import { readToolInput } from "../tools/read-tool-input.ts";
import type { AnyTool, Preview, ToolOutput } from "../tools/tool.ts";
import type { Emit } from "./run-turn.ts";
import type { TurnConfig } from "./turn-config.ts";
import type { TurnEvent } from "./turn-event.ts";

type Call = ContentBlock & { readonly type: "tool_use" };

/** The part of a turn's configuration that a tool call needs. */
export type CallConfig = Pick<TurnConfig, "judge" | "hooks" | "approve" | "redactor" | "hookFields">;

interface Watch {
  readonly emit: Emit;
  readonly signal: AbortSignal;
}

const errorOutput = (output: string): ToolOutput => ({ output, isError: true });

/** A tool call with an input that fits the tool. */
export interface ReadyCall {
  readonly call: Call;
  readonly tool: AnyTool;
  /** The input in the tool's own type. */
  readonly input: never;
  /** The same input as plain JSON. */
  readonly given: JsonObject;
}

/**
 * A call after hooks and rules: allowed, refused, or unfit because a hook changed the input to one that does not fit.
 */
export type PreparedCall =
  /** `ready` holds the input as the hooks changed it. `context` is text that the hooks add to the result. */
  | { readonly kind: "allowed"; readonly ready: ReadyCall; readonly context: readonly string[] }
  | { readonly kind: "refused"; readonly ready: ReadyCall; readonly verdict: PermissionVerdict }
  | { readonly kind: "unfit"; readonly message: string };

/** Result of a call that ran. */
export interface MadeCall {
  readonly output: ToolOutput;
  /** Error that the tool rejected with; null when the tool returned an output. */
  readonly error: ClawError | null;
}

function hookFields({ call, tool, given }: ReadyCall, { hookFields: fields }: CallConfig): JsonObject {
  return { ...fields, tool_name: tool.name, tool_use_id: call.id, tool_input: given, tool_input_json: call.input };
}

/**
 * Runs the PreToolUse hooks. Resolves with the call, as changed by the hooks, and with the hooks' verdict; or with a
 * message when the changed input does not fit.
 */
async function askHooks(
  ready: ReadyCall,
  config: CallConfig,
  { emit, signal }: Watch,
): Promise<{ ready: ReadyCall; verdict: HookVerdict } | { readonly message: string }> {
  const fields = hookFields(ready, config);
  const verdict = await config.hooks.run({ event: "PreToolUse", subject: ready.tool.name, fields }, signal);
  signal.throwIfAborted();
  for (const text of verdict.messages) emit({ kind: "notice", text: config.redactor.redactText(text) });
  if (verdict.updatedInput === null) return { ready, verdict };
  const text = JSON.stringify(verdict.updatedInput);
  const reading = readToolInput(ready.tool, text);
  if (reading.kind === "invalid") {
    return { message: `A hook changed the input so that it does not fit: ${reading.message}` };
  }
  const { input } = reading;
  return { ready: { ...ready, call: { ...ready.call, input: text }, input, given: verdict.updatedInput }, verdict };
}

/**
 * Combines rules and hooks. A deny of the rules is final. Hooks may be stricter, and may allow a call that the rules
 * would ask about.
 */
function weigh(judged: PermissionVerdict, { permission, blocked }: HookVerdict): PermissionVerdict {
  if (blocked !== null) return { decision: "deny", reason: blocked, rule: "hook" };
  if (permission === null || judged.decision === "deny") return judged;
  return { decision: permission.decision, reason: permission.reason, rule: "hook" };
}

/**
 * Preview of the changes of a call. A failed preview gives null: the call is still asked about, and the failure is not
 * reported.
 */
async function previewOf({ tool, input }: ReadyCall): Promise<Preview | null> {
  try {
    return (await tool.preview?.(input)) ?? null;
  } catch (error) {
    if (error instanceof ClawError) return null;
    throw error;
  }
}

/** Decides on a call by rules, hooks and, where those ask, the answer of a person. */
async function decideCall(
  ready: ReadyCall,
  verdict: HookVerdict,
  config: CallConfig,
  { signal }: Watch,
): Promise<PermissionVerdict> {
  const { call, tool, input, given } = ready;
  const request = { tool: tool.name, need: tool.need(input), subject: tool.subject(input) };
  const weighed = weigh(config.judge.judge(request), verdict);
  if (weighed.decision !== "ask") return weighed;
  const preview = await previewOf(ready);
  const question = { toolUseId: call.id, tool: tool.name, input: given, reason: weighed.reason, preview };
  const answer = await config.approve(question, signal);
  signal.throwIfAborted();
  return answer.allow ? { ...weighed, decision: "allow" } : { ...weighed, reason: answer.reason };
}

/** Runs the hooks after a call. Hooks may add text to the output, or turn the output into an error. */
async function tellHooks(ready: ReadyCall, done: ToolOutput, config: CallConfig, watch: Watch): Promise<ToolOutput> {
  const event = done.isError ? "PostToolUseFailure" : "PostToolUse";
  const fields = {
    ...hookFields(ready, config),
    ...(done.isError ? { tool_error: done.output } : { tool_output: done.output }),
    tool_result_is_error: done.isError,
  };
  const verdict = await config.hooks.run({ event, subject: ready.tool.name, fields }, watch.signal);
  watch.signal.throwIfAborted();
  for (const text of verdict.messages) watch.emit({ kind: "notice", text: config.redactor.redactText(text) });
  const additions = [...verdict.context, ...(verdict.blocked === null ? [] : [verdict.blocked])];
  if (additions.length === 0) return done;
  const output = [done.output, ...additions].join("\n\n");
  return { ...done, output, isError: done.isError || verdict.blocked !== null };
}

function denyCall({ call, tool, given }: ReadyCall, reason: string, config: CallConfig, { emit }: Watch): ToolOutput {
  const { redactor } = config;
  const denial = {
    tool_name: tool.name,
    tool_use_id: call.id,
    tool_input: redactor.redactValue(given),
    reason: redactor.redactText(reason),
  };
  emit({ kind: "denied", denial });
  return errorOutput(`Not allowed: ${denial.reason}`);
}

/** Asks hooks, rules and, where those ask, a person whether a call may be made. Rejects with the signal's reason. */
export async function prepareCall(given: ReadyCall, config: CallConfig, watch: Watch): Promise<PreparedCall> {
  const asked = await askHooks(given, config, watch);
  if (!("ready" in asked)) return { kind: "unfit", ...asked };
  const { ready, verdict } = asked;
  const decided = await decideCall(ready, verdict, config, watch);
  if (decided.decision === "allow") return { kind: "allowed", ready, context: verdict.context };
  return { kind: "refused", ready, verdict: decided };
}

/** Runs an allowed call, then runs the hooks with the output. Rejects with the signal's reason. */
export async function makeCall(
  { ready, context }: Extract<PreparedCall, { kind: "allowed" }>,
  config: CallConfig,
  watch: Watch,
): Promise<MadeCall> {
  const { emit, signal } = watch;
  const { call, tool } = ready;
  emit({ kind: "tool-started", id: call.id, name: tool.name, input: config.redactor.redactValue(ready.given) });
  const progress = (text: string): void => emit({ kind: "tool-progress", id: call.id, text });
  const nested = (event: TurnEvent): void => emit({ agent: call.id, ...event });
  let failure: ClawError | null = null;
  const done = await tool.run(ready.input, { id: call.id, progress, nested }, signal).catch((error: unknown) => {
    signal.throwIfAborted();
    if (!(error instanceof ClawError)) throw error;
    failure = error;
    return errorOutput(`${error.message}\n${error.hint}`);
  });
  const whole = context.length === 0 ? done : { ...done, output: [done.output, ...context].join("\n\n") };
  return { output: await tellHooks(ready, whole, config, watch), error: failure };
}

/** Makes one call: hooks, permission, the work itself, hooks again. */
export async function runToolCall(call: Call, tool: AnyTool, config: CallConfig, watch: Watch): Promise<ToolOutput> {
  const reading = readToolInput(tool, call.input);
  if (reading.kind === "invalid") return errorOutput(reading.message);
  const { input } = reading;
  const prepared = await prepareCall({ call, tool, input, given: { ...(input as JsonObject) } }, config, watch);
  if (prepared.kind === "unfit") return errorOutput(prepared.message);
  if (prepared.kind === "refused") return denyCall(prepared.ready, prepared.verdict.reason, config, watch);
  return (await makeCall(prepared, config, watch)).output;
}
