import { existsSync } from "node:fs";
import type { JsonObject, VerbInput, VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import type {
  AnyTool,
  Approve,
  CallConfig,
  Hooks,
  PreparedCall,
  ToolOutput,
  TurnEvent,
  PermissionVerdict,
} from "../../../agent/index.ts";
import { loadSettings } from "../../../settings/index.ts";
import { choosePermissionMode } from "../choose-model.ts";
import { isOfServer, requireTool } from "./find-tool.ts";
import type { Ports } from "../../runtime/handle.ts";
import { handle } from "../../runtime/handle.ts";
import type * as OpenAgentModule from "../open-agent.ts";
import type { VerbToolbox } from "../open-agent.ts";
import { requireMode } from "../permission-mode.ts";
import { readPayload } from "./tool-payload.ts";

type Input = VerbInput<"exec-tool">;
type Output = VerbOutput<"exec-tool">;
type Effect = Output["effect"];
type OpenAgent = typeof OpenAgentModule;
type Allowed = Extract<PreparedCall, { kind: "allowed" }>;

interface Surroundings {
  readonly config: CallConfig;
  readonly watch: { readonly emit: (event: TurnEvent) => void; readonly signal: AbortSignal };
}

/** The permission mode. Settings that cannot be read may hold rules, so no tool runs without readable settings. */
function modeOf({ permissionMode }: Input, { cwd, env, notes }: Ports) {
  const settings = loadSettings(cwd, env);
  for (const warning of settings.warnings) notes.warn(warning);
  if (settings.error === null) return requireMode(choosePermissionMode(permissionMode, settings, env));
  throw new ClawError("CONFIG_INVALID", settings.error, { operation: "load_settings", target: cwd });
}

/** Whether the person at the terminal allows the call. Without a terminal the answer is no. */
async function isAllowedByPerson(text: string, { terminal, redactor, signal }: Ports): Promise<boolean> {
  if (terminal === null) return false;
  const answer = await terminal.ask(redactor.redactText(`${text}\n[y]es, [n]o? `), signal);
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}

/** Asks the person at the terminal about a call that is neither allowed nor denied. */
const approverOf =
  (tool: AnyTool, ports: Ports): Approve =>
  async ({ reason, input }) => {
    const text = `${reason}\nAllow ${tool.name}: ${tool.subject(input as never)}`;
    return (await isAllowedByPerson(text, ports)) ? { allow: true } : { allow: false, reason };
  };

/** The reason why a call is not made. A hook that makes the input invalid has refused the call. */
const verdictOf = (prepared: Exclude<PreparedCall, Allowed>): PermissionVerdict =>
  prepared.kind === "refused" ? prepared.verdict : { decision: "deny", reason: prepared.message, rule: "hook" };

/** A hint about a refusal; undefined where the hint of the error catalogue is enough. */
function hintFor({ decision, rule }: PermissionVerdict): string | undefined {
  if (decision !== "deny") return undefined;
  if (rule === null) return "No rule and no --permission-mode allows it.";
  return rule === "hook" ? "A hook refused it. Look where it comes from: claw config hooks." : undefined;
}

function deniedError(tool: AnyTool, verdict: PermissionVerdict, { judge }: VerbToolbox): ClawError {
  const { reason, rule } = verdict;
  const hint = hintFor(verdict);
  return new ClawError("PERMISSION_DENIED", reason, {
    operation: "judge",
    target: tool.name,
    ...(hint === undefined ? {} : { hint }),
    details: { permission_mode: judge.mode, ...(rule === null ? {} : { rule }) },
  });
}

/** Paths that an allowed call changes: the paths that the tool says it writes, otherwise the whole folder. */
function affectedBy({ ready: { tool, input } }: Allowed, { cwd }: Ports): readonly string[] {
  const need = tool.need(input);
  if (need.kind === "write") return need.paths;
  return tool.readOnly || need.kind === "nothing" || need.kind === "read" ? [] : [cwd];
}

const effectOn = (paths: readonly string[]): "noop" | "created" | "updated" =>
  paths.length === 0 ? "noop" : paths.every((path) => existsSync(path)) ? "updated" : "created";

const WOULD: Readonly<Record<"noop" | "created" | "updated", Effect>> = {
  noop: "noop",
  created: "would_create",
  updated: "would_update",
};

type Made = Omit<Output, "payload" | "name">;

/** Describes an allowed call without making it. Hooks may do anything, so a dry run does not start hooks. */
function preview({ ready: { tool } }: Allowed, affected: readonly string[], hasHooks: boolean): Made {
  const message = `it is allowed, and was not done: this is a dry run${hasHooks ? "; hooks were not asked" : ""}`;
  const facts = { canonical_name: tool.name, source_hint: tool.sourceHint };
  const nothing = { handled: false, message, output: "", is_error: false };
  return { ...facts, ...nothing, effect: WOULD[effectOn(affected)], would_affect: [...affected] };
}

/** A failed call changed nothing, unless the tool says how it ended: a command that fails was run. */
const changed = ({ isError, summary }: ToolOutput): boolean => !isError || summary !== undefined;

/** Makes the call as a turn does. Throws the error of the tool after the hooks have seen it. */
async function make(
  allowed: Allowed,
  affected: readonly string[],
  agent: OpenAgent,
  { config, watch }: Surroundings,
): Promise<Made> {
  const { tool } = allowed.ready;
  const effect = effectOn(affected);
  const { output: result, error } = await agent.makeCall(allowed, config, watch);
  // A tool that was stopped may still return an answer; the abort counts more.
  watch.signal.throwIfAborted();
  if (error !== null) throw error;
  const message = result.summary ?? (result.isError ? firstLine(result.output) : "done");
  return {
    canonical_name: tool.name,
    source_hint: tool.sourceHint,
    handled: true,
    message,
    output: result.output,
    is_error: result.isError,
    effect: changed(result) ? effect : "noop",
  };
}

const firstLine = (text: string): string => text.trim().split("\n", 1)[0] || "it gave no reason";

/** The answer of a tool that did its work. Throws TOOL_FAILED, which carries the answer, for one that failed. */
function requireSuccess(output: Output): Output {
  if (!output.is_error) return output;
  throw new ClawError("TOOL_FAILED", `${output.canonical_name} failed: ${output.message}`, {
    operation: "run_tool",
    target: output.canonical_name,
    partial: output,
  });
}

/** The configuration and the observer for a call. */
function surround(tool: AnyTool, hooks: Hooks, { judge, redactor }: VerbToolbox, ports: Ports): Surroundings {
  const emit = (event: TurnEvent): void => {
    if (event.kind === "notice") ports.notes.warn(event.text);
    if (event.kind === "tool-progress") ports.live?.show(event.text);
  };
  const config = { judge, redactor, hooks, approve: approverOf(tool, ports), hookFields: { session_id: "" } };
  return { config, watch: { emit, signal: ports.signal } };
}

async function execute(input: Input, agent: OpenAgent, toolbox: VerbToolbox, ports: Ports): Promise<Made> {
  const tool = requireTool(toolbox.tools, input.name);
  const payload = readPayload(tool, input.payload, agent);
  const call = { type: "tool_use" as const, id: "exec-tool", name: tool.name, input: JSON.stringify(payload) };
  const hooks = toolbox.hooks();
  const around = surround(tool, (input.dryRun ? null : hooks) ?? agent.NO_HOOKS, toolbox, ports);
  const given = { call, tool, input: payload, given: { ...(payload as JsonObject) } };
  const prepared = await agent.prepareCall(given, around.config, around.watch);
  if (prepared.kind !== "allowed") throw deniedError(tool, verdictOf(prepared), toolbox);
  const affected = affectedBy(prepared, ports);
  return input.dryRun ? preview(prepared, affected, hooks !== null) : make(prepared, affected, agent, around);
}

async function run(input: Input, ports: Ports): Promise<Output> {
  const agent = await import("../open-agent.ts");
  const toolbox = await agent.openWorkspaceToolbox(ports, { mode: modeOf(input, ports), mcp: isOfServer(input.name) });
  try {
    return { name: input.name, payload: input.payload, ...(await execute(input, agent, toolbox, ports)) };
  } finally {
    await toolbox.close();
  }
}

/** Adds to the error of a call that was not made: the tool, the payload, and that no work was done. */
function withPartial(error: unknown, { name, payload }: Input): unknown {
  if (!(error instanceof ClawError) || error.code === "TOOL_FAILED") return error;
  const nothing = { handled: false, message: error.message, output: "", is_error: true, effect: "noop" };
  const partial = { name, payload, ...nothing };
  return new ClawError(error.code, error.message, { ...error.options, partial });
}

export const handler = handle("exec-tool", {
  run: async (input, ports) => {
    try {
      // The answer may be stored for a repeated call, and the output of a tool may hold secrets.
      return requireSuccess(ports.redactor.redactValue(await run(input, ports)));
    } catch (error) {
      throw withPartial(error, input);
    }
  },
  // How a failed call ended stands in its error.
  show: ({ output, message, is_error: failed }, paint) =>
    [...(output === "" ? [] : [output.trimEnd()]), ...(failed ? [] : [paint.dim(message)])].join("\n"),
});
