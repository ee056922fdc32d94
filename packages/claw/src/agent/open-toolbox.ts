import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import type { PermissionMode, Redactor, Settings } from "claw-contract";
import { configHome } from "../settings/index.ts";
import type { Skill } from "./skills/find-skills.ts";
import { findSkills } from "./skills/find-skills.ts";
import type { McpServers, McpServerState } from "./mcp/open-mcp-servers.ts";
import { openMcpServers } from "./mcp/open-mcp-servers.ts";
import { judgedPrompt } from "./mcp/judged-prompt.ts";
import type { McpPrompt } from "./mcp/mcp-prompts.ts";
import { createJudge, hidesPaths, keptPlaces, namesAddresses, readRules, resolvePath } from "./permissions/index.ts";
import type { Judge } from "./permissions/permission.ts";
import type { RuleSet } from "./permissions/rules.ts";
import type { SandboxState } from "./sandbox/index.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { prepareSandbox, probeSandbox } from "./sandbox/index.ts";
import { readWorkerBus } from "./sandbox/worker-bus.ts";
import { createCommandGit } from "./worktree/command-git.ts";
import { workerTreeOf } from "./worktree/worker-tree.ts";
import type { AnyTool } from "./tools/tool.ts";
import { addTools, createSpill, createTodoList, createTools } from "./tools/index.ts";
import type { TodoList } from "./tools/index.ts";
import { createSkillTool } from "./tools/skill.ts";

export interface ToolboxOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly settings: Settings;
  readonly mode: PermissionMode;
  /** MCP servers by name; when empty, no server is started. */
  readonly mcpServers: Readonly<Record<string, unknown>>;
  /** Tools that may be called at all; undefined is every tool. */
  readonly allowedTools?: readonly string[] | undefined;
  readonly redactor: Redactor;
  /** Whether commands will run. Then the sandbox is tried out while the toolbox opens, unless `sandboxWorks` is given. */
  readonly runsCommands?: boolean;
  /** What a recent trial of the sandbox showed here. The first command tries the sandbox anew. */
  readonly sandboxWorks?: boolean | undefined;
  /** Version of claw, sent to the MCP servers. */
  readonly version: string;
}

/** The tools of a folder, and the judge that decides on their calls. The caller that opened the toolbox closes it. */
export interface Toolbox {
  /** Current tools. The list may change when a lost MCP server comes back. */
  readonly tools: readonly AnyTool[];
  /** Prompts of MCP servers. Getting a prompt rejects when a rule denies the prompt. */
  readonly prompts: readonly McpPrompt[];
  readonly judge: Judge;
  readonly todos: TodoList;
  readonly skills: readonly Skill[];
  readonly servers: readonly McpServerState[];
  /** Resources of MCP servers as `server:uri`. Rejects with the signal's reason. */
  listResources(signal: AbortSignal): Promise<readonly string[]>;
  /** State of the sandbox. The first call tries the sandbox out. */
  sandbox(): SandboxState;
  /** Notices for people: rules without effect, servers that did not start. */
  readonly notices: readonly string[];
  /** Ends the MCP servers. Idempotent. */
  close(): Promise<void>;
}

const sandboxOf = (state: SandboxState): Sandbox | null => (state.kind === "available" ? state.sandbox : null);

function workspaceOf({ cwd, settings }: ToolboxOptions) {
  const root = realpathSync(cwd);
  const folders = settings.permissions?.additionalDirectories ?? [];
  return { root, extraFolders: folders.map((folder) => resolvePath(folder, { cwd: root, home: homedir() })) };
}

/** Permission rules of the settings, and a notice for each faulty rule. */
function rulesOf({ settings }: ToolboxOptions): { rules: RuleSet; notices: string[] } {
  const { allow = [], ask = [], deny = [] } = settings.permissions ?? {};
  const { rules, problems } = readRules({ allow, ask, deny });
  return { rules, notices: problems.map(({ list, rule, why }) => `The rule ${rule} in permissions.${list}: ${why}.`) };
}

type BaseToolbox = Omit<Toolbox, "tools" | "prompts" | "servers" | "listResources" | "close">;

/** The toolbox with the current tools, prompts and states of the MCP servers. Each access looks them up again. */
const withServers = (
  base: BaseToolbox,
  servers: McpServers,
  { own, promptJudge }: { readonly own: readonly AnyTool[]; readonly promptJudge: Judge },
): Toolbox => ({
  ...base,
  get tools() {
    return addTools(own, servers.tools);
  },
  get prompts() {
    return servers.prompts.map((prompt) => judgedPrompt(prompt, promptJudge));
  },
  get servers() {
    return servers.servers;
  },
  listResources: (signal) => servers.listResources(signal),
  close: () => servers.close(),
});

/** Opens everything that tools need. Rejects when a required server does not start, or with the signal's reason. */
export async function openToolbox(options: ToolboxOptions, signal: AbortSignal): Promise<Toolbox> {
  const { env, settings, mode, redactor, allowedTools, version } = options;
  const workspace = workspaceOf(options);
  const { root } = workspace;
  const { rules, notices } = rulesOf(options);
  const environment = { ...env, ...settings.env };
  const preference = settings.sandbox === undefined ? {} : { preference: settings.sandbox };
  const sandboxOptions = { workspace, env: environment, ...preference };
  const isToBeTried = options.runsCommands === true && options.sandboxWorks === undefined;
  const preparing = isToBeTried ? prepareSandbox(sandboxOptions) : undefined;
  const probe = (): SandboxState => probeSandbox(sandboxOptions);
  const sandbox = (): Sandbox | null => sandboxOf(probe());
  const todos = createTodoList();
  const found = await findSkills({ cwd: root, configHome: configHome(env) });
  const onProblem = (text: string): void => void notices.push(text);
  const servers = await openMcpServers(options.mcpServers, { cwd: root, env, version, onProblem }, signal);
  await preparing;
  const tree = mode === "read-only" ? null : workerTreeOf(root);
  const deps = {
    workspace,
    mode,
    sandbox,
    environment,
    todos,
    spill: createSpill({ root, redactor }),
    isHidden: hidesPaths(rules, workspace),
    kept: () => keptPlaces(rules, workspace),
    // Read from `env`, not `environment`: the settings of a folder must not choose the socket that commands see.
    bus: readWorkerBus(env),
    isNamedAddress: namesAddresses(rules, workspace),
    git: tree === null ? undefined : createCommandGit(tree, sandbox),
  };
  const judging = { mode, rules, workspace, sandbox, isSandboxRequired: settings.sandbox === "required" };
  const base = {
    judge: createJudge({ ...judging, allowedTools }),
    todos,
    skills: found.skills,
    sandbox: probe,
    notices: [...notices, ...found.problems],
  };
  // A person calls prompts, the model calls tools. So the run's list of allowed tools does not apply to prompts.
  const promptJudge = createJudge({ ...judging, allowedTools: undefined });
  return withServers(base, servers, { own: createTools(deps, [createSkillTool(found.skills)]), promptJudge });
}
