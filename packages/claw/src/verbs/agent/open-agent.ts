import type { PermissionMode, Redactor } from "claw-contract";
import { ClawError } from "claw-contract";
import type { AnyTool, Hooks, RunSubTask, Toolbox } from "../../agent/index.ts";
import { askFor, createAgentTool, newProgress, openHooks, openToolbox as openAgentToolbox } from "../../agent/index.ts";
import { NEW_CONVERSATION } from "../../sessions/index.ts";
import { loadSettings } from "../../settings/index.ts";
import { chooseModel } from "./choose-model.ts";
import type { Ports } from "../runtime/handle.ts";
import { runRedactor } from "./run-redactor.ts";
import { openWorkAgent } from "./turns/open-work-agent.ts";

/** The entrance to all heavy modules for verbs with models and tools. Only those verbs load this module. */
export { checkToolInput, makeCall, NO_HOOKS, offerOf, prepareCall } from "../../agent/index.ts";
export { runBootstrap } from "./turns/run-bootstrap.ts";
export { runPrompt } from "./turns/run-prompt.ts";
export { runTurnLoop } from "./turns/run-turn-loop.ts";

/** The tools of a folder, and the hooks that are asked about their calls. */
export interface VerbToolbox extends Toolbox {
  readonly redactor: Redactor;
  /** The hooks of the settings; null when there are none. Those without effect become warnings. */
  hooks(): Hooks | null;
}

export interface ToolboxWishes {
  readonly mode: PermissionMode;
  /** Whether MCP servers are started and their tools offered too. */
  readonly mcp: boolean;
}

/** Opens the tools of a folder with their settings, servers and hooks. The caller closes the toolbox. */
export async function openWorkspaceToolbox(ports: Ports, { mode, mcp }: ToolboxWishes): Promise<VerbToolbox> {
  const { cwd, env, toolVersion: version, signal } = ports;
  const loaded = loadSettings(cwd, env);
  const settings = loaded.merged;
  const redactor = runRedactor(ports, loaded);
  const mcpServers = mcp ? (settings.mcpServers ?? {}) : {};
  const toolbox = await openAgentToolbox({ cwd, env, settings, mode, mcpServers, redactor, version }, signal);
  for (const notice of toolbox.notices) ports.notes.warn(redactor.redactText(notice));
  const tools = [...toolbox.tools, createAgentTool(createTaskRunner(ports, mode))];
  const hooks = (): Hooks | null => {
    const opened = openHooks({ settings, cwd, env, tools: () => tools });
    for (const problem of opened.problems) ports.notes.warn(redactor.redactText(problem));
    return opened.isAny ? opened.hooks : null;
  };
  return { ...toolbox, tools, redactor, hooks };
}

/** Outside of a run there is no parent: the task is given to an agent as flags, settings and environment would have it. */
function createTaskRunner(ports: Ports, permissionMode: PermissionMode): RunSubTask {
  return async ({ prompt, model }, call, signal) => {
    const agent = await openWorkAgent({ permissionMode, ...(model === null ? {} : { model }) }, ports);
    const nothing = (): undefined => undefined;
    const task = {
      sessionId: call.id,
      conversation: NEW_CONVERSATION,
      prompt,
      record: nothing,
      recordCompaction: nothing,
    };
    const progress = newProgress();
    try {
      const stopReason = await agent.run(task, progress, { emit: call.nested ?? nothing, signal });
      return { message: progress.message, stopReason };
    } finally {
      await agent.close();
    }
  };
}

/** The variable without which the model cannot be asked; null when nothing is missing, or something else is wrong. */
export function missingKey(model: string | undefined, { cwd, env }: Ports): string | null {
  const settings = loadSettings(cwd, env);
  try {
    askFor(chooseModel(model, settings, env).value, { cwd, env, settings: settings.merged });
    return null;
  } catch (error) {
    return error instanceof ClawError && error.code === "TOKEN_MISSING" ? error.target : null;
  }
}

/** The tools there are without starting a server. */
export async function listTools(ports: Ports): Promise<readonly AnyTool[]> {
  const toolbox = await openWorkspaceToolbox(ports, { mode: "read-only", mcp: false });
  await toolbox.close();
  return toolbox.tools;
}
