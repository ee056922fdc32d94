import { ClawError, LIMITS } from "claw-contract";
import type { Conversation } from "../sessions/index.ts";
import { configHome } from "../settings/index.ts";
import type { Agent } from "./agent.ts";
import type { AskedModel, AskingOptions } from "./asked-model.ts";
import { askFor, requirePrice } from "./asked-model.ts";
import { buildSystemPrompt } from "./context/system-prompt.ts";
import type { GitSummary } from "./context/git-summary.ts";
import { readGitSummary } from "./context/git-summary.ts";
import { loadInstructions } from "./context/load-instructions.ts";
import type { Hooks } from "./hooks/hooks.ts";
import { openHooks } from "./hooks/create-hooks.ts";
import type { Toolbox, ToolboxOptions } from "./open-toolbox.ts";
import { openToolbox } from "./open-toolbox.ts";
import type { ProviderChoice } from "./providers/index.ts";
import type { SharedTurnConfig } from "./sub-runner.ts";
import { createSubRunner } from "./sub-runner.ts";
import { createAgentTool } from "./tools/agent.ts";
import { findTool } from "./tools/index.ts";
import type { AnyTool } from "./tools/tool.ts";
import { makeCompaction } from "./turn/make-compaction.ts";
import { runTurn } from "./turn/run-turn.ts";
import type { TurnSpending } from "./turn/spending.ts";
import { createTurnSpending } from "./turn/spending.ts";
import type { Approve, TurnConfig } from "./turn/turn-config.ts";

export interface AgentOptions extends ToolboxOptions, AskingOptions {
  /** An id, an alias, or a provider and an id. */
  readonly model: string;
  readonly approve: Approve;
  /** Requests of one turn; null is no limit. */
  readonly maxIterations: number | null;
  readonly budgetUsd: number | null;
  readonly appendSystemPrompt: string | null;
}

/** The tools that a run may use: all tools, or only the allowed tools. */
function restrict(tools: readonly AnyTool[], allowed: readonly string[] | undefined): readonly AnyTool[] {
  if (allowed === undefined) return tools;
  const wanted = new Set(allowed.map((name) => findTool(tools, name)));
  return tools.filter((tool) => wanted.has(tool));
}

/** Throws INVALID_TOOL_NAME when a run is restricted to a tool that does not exist. */
function requireTools(names: readonly string[], tools: readonly AnyTool[]): void {
  const name = names.find((wanted) => findTool(tools, wanted) === undefined);
  if (name === undefined) return;
  throw new ClawError("INVALID_TOOL_NAME", `there is no tool '${name.slice(0, 200)}'`, {
    operation: "open_agent",
    target: "--allowedTools",
    details: { tool_name: name.slice(0, 200), available: tools.map((known) => known.name) },
  });
}

function systemPromptOf(options: AgentOptions, toolbox: Toolbox, git: GitSummary | null) {
  const { cwd, env, mode, redactor, appendSystemPrompt, sandboxWorks } = options;
  const instructions = loadInstructions({ cwd, configHome: configHome(env) });
  const facts = {
    cwd,
    platform: process.platform,
    date: new Date().toISOString().slice(0, 10),
    mode,
    sandboxed: mode !== "danger-full-access" && (sandboxWorks ?? toolbox.sandbox().kind === "available"),
    instructions: instructions.files,
    skills: toolbox.skills,
    git,
    append: appendSystemPrompt,
  };
  return { system: buildSystemPrompt(facts, redactor), problems: instructions.problems };
}

/**
 * Runs the SessionStart hooks, which may add context for the model. Rejects with PERMISSION_DENIED if a hook refuses.
 */
async function beginSession(hooks: Hooks, sessionId: string, isNew: boolean, signal: AbortSignal) {
  const fields = { session_id: sessionId, source: isNew ? "startup" : "resume" };
  const verdict = await hooks.run({ event: "SessionStart", subject: "", fields }, signal);
  signal.throwIfAborted();
  if (verdict.blocked === null) return verdict;
  throw new ClawError("PERMISSION_DENIED", `a hook refused the session: ${verdict.blocked}`, {
    operation: "begin_session",
    target: sessionId,
    hint: "Check the SessionStart hooks in the settings.",
  });
}

const labelOf = ({ keyVariables, kind }: ProviderChoice, env: AgentOptions["env"]): string =>
  kind === "scripted" ? "none" : (keyVariables.find((name) => env[name]?.trim()) ?? "none");

interface Parts {
  readonly options: AgentOptions;
  readonly asked: AskedModel;
  readonly toolbox: Toolbox;
  readonly shared: SharedTurnConfig;
  readonly notices: readonly string[];
  readonly setSession: (id: string) => void;
}

const turnConfig = (shared: SharedTurnConfig, system: readonly string[], sessionId: string): TurnConfig => ({
  ...shared,
  // An MCP server that comes back in a turn may have other tools.
  get tools() {
    return shared.tools;
  },
  system,
  hookFields: { session_id: sessionId },
});

function compactNow(conversation: Conversation, shared: SharedTurnConfig, signal: AbortSignal) {
  const order = { conversation, keep: shared.compaction.keepMessages, unasked: null, reservedTokens: 0 };
  return makeCompaction(order, shared, { emit: () => undefined, signal });
}

function assemble({ options, asked, toolbox, shared, notices, setSession }: Parts): Agent {
  const { redactor } = options;
  let begun: { readonly sessionId: string; readonly context: readonly string[] } | undefined;
  return {
    model: asked.choice.model,
    mode: options.mode,
    get tools() {
      return shared.tools;
    },
    get prompts() {
      return toolbox.prompts;
    },
    get servers() {
      return toolbox.servers;
    },
    listResources: (signal) => toolbox.listResources(signal),
    todos: toolbox.todos,
    apiKeySource: labelOf(asked.choice, options.env),
    spending: shared.spending,
    notices,
    run: async (context, progress, watch) => {
      const { sessionId } = context;
      setSession(sessionId);
      if (begun?.sessionId !== sessionId) {
        const isNew = context.conversation.messages.length === 0;
        const verdict = await beginSession(shared.hooks, sessionId, isNew, watch.signal);
        for (const text of verdict.messages) watch.emit({ kind: "notice", text: redactor.redactText(text) });
        begun = { sessionId, context: verdict.context.map(redactor.redactText) };
      }
      const system = [...shared.system, ...begun.context];
      return runTurn(context, turnConfig(shared, system, sessionId), progress, watch);
    },
    compact: (conversation, signal) => compactNow(conversation, shared, signal),
    close: () => toolbox.close(),
  };
}

/**
 * Opens an agent: chooses the model, opens the tools and reads the instructions. Sends no request to the model yet.
 * Rejects with an error about the flags, settings or credentials, or with the signal's reason; everything that was
 * started has ended by then.
 */
export async function createAgent(options: AgentOptions, signal: AbortSignal): Promise<Agent> {
  const asked = askFor(options.model, options);
  requirePrice(asked, options.budgetUsd);
  // Work of other processes (git, sandbox, MCP servers) starts first. The provider's code loads meanwhile.
  const git = readGitSummary(options.cwd, signal);
  const runsCommands = options.mode !== "danger-full-access";
  const opening = openToolbox({ ...options, runsCommands }, signal);
  const warming = asked.provider.warm?.(asked.choice.model);
  await Promise.allSettled([git, opening, warming]);
  const toolbox = await opening;
  try {
    await warming;
    const summary = await git;
    signal.throwIfAborted();
    return completeAgent(options, asked, toolbox, summary);
  } catch (error) {
    await toolbox.close();
    throw error;
  }
}

function completeAgent(options: AgentOptions, asked: AskedModel, toolbox: Toolbox, git: GitSummary | null): Agent {
  const { settings, redactor, approve, maxIterations, budgetUsd } = options;
  let sessionId = "";
  const parts = { options, parent: asked, shared: () => shared, sessionId: () => sessionId };
  const subAgent = createAgentTool(createSubRunner(parts));
  const { allowedTools } = options;
  requireTools(allowedTools ?? [], [...toolbox.tools, subAgent]);
  const tools = (): readonly AnyTool[] => restrict([...toolbox.tools, subAgent], allowedTools);
  const { hooks, problems: hookProblems } = openHooks({ ...options, tools });
  const { system, problems } = systemPromptOf(options, toolbox, git);
  const spending: TurnSpending = createTurnSpending(budgetUsd);
  const shared: SharedTurnConfig = {
    model: asked.choice.model,
    provider: asked.provider,
    costOf: asked.costOf,
    system,
    maxOutputTokens: settings.maxOutputTokens ?? LIMITS.modelOutputTokens,
    get tools() {
      return tools();
    },
    judge: toolbox.judge,
    hooks,
    approve,
    compaction: {
      thresholdTokens: settings.compaction?.thresholdTokens ?? LIMITS.compactionTokens,
      keepMessages: LIMITS.compactionKeeps,
    },
    maxIterations,
    spending,
    redactor,
    now: Date.now,
  };
  const notices = [...toolbox.notices, ...hookProblems, ...problems].map(redactor.redactText);
  const setSession = (id: string): void => {
    sessionId = id;
  };
  return assemble({ options, asked, toolbox, shared, notices, setSession });
}
