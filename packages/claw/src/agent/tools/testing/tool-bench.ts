import { createRedactor } from "claw-contract";
import type { PermissionMode } from "claw-contract";
import { createJudge } from "../../permissions/create-judge.ts";
import { hidesPaths, keptPlaces, namesAddresses } from "../../permissions/denied-places.ts";
import type { PermissionVerdict } from "../../permissions/permission.ts";
import type { RuleTexts } from "../../permissions/rules.ts";
import { readRules } from "../../permissions/rules.ts";
import type { Cage } from "../../sandbox/testing/workspace-with-canary.ts";
import { needSandbox, openCage } from "../../sandbox/testing/workspace-with-canary.ts";
import { checkToolInput } from "../read-tool-input.ts";
import { createTools, findTool } from "../create-tools.ts";
import { createSpill } from "../shell/spill.ts";
import { createTodoList } from "../todo-write.ts";
import type { ToolDeps } from "../tool-deps.ts";
import type { AnyTool, Tool, ToolOutput } from "../tool.ts";

export interface BenchOptions {
  readonly mode?: PermissionMode;
  readonly rules?: RuleTexts;
  readonly sandboxed?: boolean;
  /** Variables besides those of this process. */
  readonly environment?: (cage: Cage) => Readonly<Record<string, string | undefined>>;
  readonly secrets?: readonly string[];
  /** A workspace that is there already, instead of a new one. */
  readonly root?: string;
}

export interface Bench extends Cage {
  readonly deps: ToolDeps;
  readonly tools: readonly AnyTool[];
  judge(name: string, input: unknown): PermissionVerdict;
  /** Runs a call whatever a judge would say, after `need` was asked. */
  run(name: string, input: unknown, signal?: AbortSignal): Promise<ToolOutput>;
  /** Runs a call if it is allowed; otherwise gives the verdict. */
  call(name: string, input: unknown): Promise<ToolOutput | PermissionVerdict>;
}

type Known = Tool<unknown>;

function prepare(tools: readonly AnyTool[], name: string, value: unknown): { tool: Known; input: unknown } {
  const tool = findTool(tools, name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const read = checkToolInput(tool, value);
  if (read.kind === "invalid") throw new Error(read.message);
  return { tool: tool, input: read.input };
}

const CALL = { id: "call", progress: () => undefined };

/** A workspace with a canary beside it, its tools, and a judge over them. */
export function openBench(onEnd: (remove: () => void) => void, options: BenchOptions = {}): Bench {
  const opened = openCage(onEnd);
  const { root = opened.root } = options;
  const workspace = { ...opened.workspace, root };
  const cage = { ...opened, root, workspace };
  const mode = options.mode ?? "workspace-write";
  const { rules } = readRules(options.rules ?? {});
  const sandbox = options.sandboxed === true ? needSandbox(workspace) : null;
  const deps: ToolDeps = {
    workspace,
    mode,
    sandbox: () => sandbox,
    environment: { ...process.env, ...options.environment?.(cage) },
    spill: createSpill({ root, redactor: createRedactor({ secrets: options.secrets ?? [] }) }),
    todos: createTodoList(),
    isHidden: hidesPaths(rules, workspace),
    kept: () => keptPlaces(rules, workspace),
    isNamedAddress: namesAddresses(rules, workspace),
  };
  const tools = createTools(deps);
  const judge = createJudge({ mode, rules, workspace, sandbox: () => sandbox });
  const decide = ({ tool, input }: ReturnType<typeof prepare>): PermissionVerdict =>
    judge.judge({ tool: tool.name, need: tool.need(input), subject: tool.subject(input) });
  return {
    ...cage,
    deps,
    tools,
    judge: (name, value) => decide(prepare(tools, name, value)),
    run: async (name, value, signal = new AbortController().signal) => {
      const prepared = prepare(tools, name, value);
      decide(prepared);
      return prepared.tool.run(prepared.input, CALL, signal);
    },
    call: async (name, value) => {
      const prepared = prepare(tools, name, value);
      const verdict = decide(prepared);
      if (verdict.decision !== "allow") return verdict;
      return prepared.tool.run(prepared.input, CALL, new AbortController().signal);
    },
  };
}

/** The JSON a tool answered with. */
export const parsed = (output: ToolOutput): Record<string, unknown> =>
  JSON.parse(output.output) as Record<string, unknown>;
