import { existsSync } from "node:fs";
import type { VerbInput, VerbOutput } from "@claw/contract";
import { ClawError } from "@claw/contract";
import type { AnyTool, Need, ToolOutput } from "../agent/index.ts";
import { loadSettings } from "../settings/index.ts";
import { choosePermissionMode } from "./choose-model.ts";
import { isOfServer, requireTool } from "./find-tool.ts";
import type { Ports } from "./handle.ts";
import { handle } from "./handle.ts";
import type { Toolbox } from "./open-agent.ts";
import { requireMode } from "./permission-mode.ts";
import { readPayload } from "./tool-payload.ts";

type Input = VerbInput<"exec-tool">;
type Output = VerbOutput<"exec-tool">;
type Effect = Output["effect"];

/** One call of a tool, ready to be judged and made. */
interface Order {
  readonly tool: AnyTool;
  readonly input: never;
  readonly need: Need;
}

/** The mode that holds. Settings that cannot be read may hold rules, so nothing is executed without them. */
function modeOf({ permissionMode }: Input, { cwd, env, notes }: Ports) {
  const settings = loadSettings(cwd, env);
  for (const warning of settings.warnings) notes.warn(warning);
  if (settings.error === null) return requireMode(choosePermissionMode(permissionMode, settings, env));
  throw new ClawError("CONFIG_INVALID", settings.error, { operation: "load_settings", target: cwd });
}

/** Whether the person at the terminal allows it. Without one the answer is no. */
async function isAllowedByPerson(text: string, { terminal, redactor, signal }: Ports): Promise<boolean> {
  if (terminal === null) return false;
  const answer = await terminal.ask(redactor.redactText(`${text}\n[y]es, [n]o? `), signal);
  return /^y(es)?$/i.test(answer?.trim() ?? "");
}

async function requirePermission({ tool, input, need }: Order, { judge }: Toolbox, ports: Ports): Promise<void> {
  const subject = tool.subject(input);
  const { decision, reason, rule } = judge.judge({ tool: tool.name, need, subject });
  if (decision === "allow") return;
  if (decision === "ask" && (await isAllowedByPerson(`${reason}\nAllow ${tool.name}: ${subject}`, ports))) return;
  throw new ClawError("PERMISSION_DENIED", reason, {
    operation: "judge",
    target: tool.name,
    ...(decision === "deny" && rule === null ? { hint: "No rule and no --permission-mode allows it." } : {}),
    details: { permission_mode: judge.mode, ...(rule === null ? {} : { rule }) },
  });
}

/** What a call that may be made changes: what it is known to write, else anything in the folder. */
function affectedBy({ tool, need }: Order, { cwd }: Ports): readonly string[] {
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

/** What a call would do that may be made. */
function preview({ tool }: Order, affected: readonly string[]): Made {
  const message = "it is allowed, and was not done: this is a dry run";
  const facts = { canonical_name: tool.name, source_hint: tool.sourceHint };
  const nothing = { handled: false, message, output: "", is_error: false };
  return { ...facts, ...nothing, effect: WOULD[effectOn(affected)], would_affect: [...affected] };
}

/** A failed call changed nothing, unless the tool says how it ended: a command that fails was run. */
const changed = ({ isError, summary }: ToolOutput): boolean => !isError || summary !== undefined;

async function make({ tool, ...order }: Order, affected: readonly string[], ports: Ports): Promise<Made> {
  const effect = effectOn(affected);
  const call = { id: "exec-tool", progress: (text: string) => ports.live?.show(text) };
  const result = await tool.run(order.input, call, ports.signal);
  // A tool that was stopped may have made an answer of that.
  ports.signal.throwIfAborted();
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

async function run(input: Input, ports: Ports): Promise<Output> {
  const agent = await import("./open-agent.ts");
  const toolbox = await agent.openToolbox(ports, { mode: modeOf(input, ports), mcp: isOfServer(input.name) });
  try {
    const tool = requireTool(toolbox.tools, input.name);
    const payload = readPayload(tool, input.payload, agent);
    const order = { tool, input: payload, need: tool.need(payload) };
    await requirePermission(order, toolbox, ports);
    const affected = affectedBy(order, ports);
    const made = input.dryRun ? preview(order, affected) : await make(order, affected, ports);
    return { name: input.name, payload: input.payload, ...made };
  } finally {
    await toolbox.close();
  }
}

/** Says in the answer to a call that was not made that nothing was done, and what was asked for. */
function withPartial(error: unknown, { name, payload }: Input): unknown {
  if (!(error instanceof ClawError) || error.code === "TOOL_FAILED") return error;
  const nothing = { handled: false, message: error.message, output: "", is_error: true, effect: "noop" };
  const partial = { name, payload, ...nothing };
  return new ClawError(error.code, error.message, { ...error.options, partial });
}

export const handler = handle("exec-tool", {
  run: async (input, ports) => {
    try {
      // The answer may be kept for a repeated call, and what a tool says may hold anything.
      return requireSuccess(ports.redactor.redactValue(await run(input, ports)));
    } catch (error) {
      throw withPartial(error, input);
    }
  },
  // How a failed call ended stands in its error.
  show: ({ output, message, is_error: failed }, paint) =>
    [...(output === "" ? [] : [output.trimEnd()]), ...(failed ? [] : [paint.dim(message)])].join("\n"),
});
