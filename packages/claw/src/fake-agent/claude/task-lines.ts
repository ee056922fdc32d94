import type { JsonObject } from "claw-contract";
import type { SubAgent, ToolStep } from "../voice.ts";
import type { ClaudeSession } from "./claude-session.ts";
import { SUB_AGENT_TYPE } from "./claude-session.ts";
import { userLine } from "./message-lines.ts";
import { turnUsage } from "./result-line.ts";
import { BY_RULE } from "./tool-lines.ts";

const task = (session: ClaudeSession, subtype: string, { agentId, runId }: SubAgent): JsonObject => ({
  type: "system",
  subtype,
  task_id: agentId,
  run_id: runId,
  ...session.stamp(),
});

const spent = (toolUses: number): JsonObject => ({ total_tokens: 1020, tool_uses: toolUses, duration_ms: 1 });

const toolUses = ({ step }: SubAgent): number => step.steps.filter(({ type }) => type === "tool").length;

const outputFile = ({ cwd }: ClaudeSession, { agentId }: SubAgent): string => `${cwd}/${agentId}.output`;

/** The list of background sub-agents. */
export function backgroundLine(session: ClaudeSession, agents: readonly SubAgent[]): JsonObject {
  const tasks = agents.map(({ agentId, runId, step }) => ({
    task_id: agentId,
    run_id: runId,
    task_type: "local_agent",
    subagent_type: SUB_AGENT_TYPE,
    description: step.description,
  }));
  return { type: "system", subtype: "background_tasks_changed", tasks, ...session.stamp() };
}

export const startedLine = (session: ClaudeSession, agent: SubAgent): JsonObject => ({
  ...task(session, "task_started", agent),
  tool_use_id: agent.callId,
  description: agent.step.description,
  subagent_type: SUB_AGENT_TYPE,
  is_backgrounded: agent.step.background,
  spawn_depth: 1,
  task_type: "local_agent",
  prompt: agent.step.prompt,
});

export const taskProgressLine = (session: ClaudeSession, agent: SubAgent, { name }: ToolStep): JsonObject => ({
  ...task(session, "task_progress", agent),
  tool_use_id: agent.callId,
  description: `Running ${name}`,
  subagent_type: SUB_AGENT_TYPE,
  usage: spent(1),
  last_tool_name: name,
});

/** The end of a sub-agent, as the CLI notes it. */
export const endedLines = (session: ClaudeSession, agent: SubAgent): JsonObject[] => [
  { ...task(session, "task_updated", agent), patch: { status: "completed", end_time: session.stage.now().getTime() } },
  {
    ...task(session, "task_notification", agent),
    tool_use_id: agent.callId,
    status: "completed",
    output_file: outputFile(session, agent),
    summary: agent.step.result,
    usage: spent(toolUses(agent)),
  },
];

const decided = ({ callId }: SubAgent): JsonObject => ({
  tool_result_meta: [{ id: callId, permission_decision: BY_RULE }],
});

const resultBlock = ({ callId }: SubAgent, text: string): JsonObject => ({
  tool_use_id: callId,
  type: "tool_result",
  content: [{ type: "text", text }],
});

/** The result of the call that sent a sub-agent off. */
export function launchedLine(session: ClaudeSession, agent: SubAgent): JsonObject {
  const { agentId, step } = agent;
  const tool_use_result = {
    isAsync: true,
    status: "async_launched",
    agentId,
    description: step.description,
    resolvedModel: session.model,
    prompt: step.prompt,
    outputFile: outputFile(session, agent),
    canReadOutputFile: true,
    canContinueAgent: true,
  };
  const text = `Async agent launched successfully.\nagentId: ${agentId}\nThe agent is working in the background.`;
  return userLine(session, [resultBlock(agent, text)], { more: { tool_use_result, ...decided(agent) } });
}

const TOOL_STATS = {
  readCount: 0,
  searchCount: 0,
  bashCount: 0,
  editFileCount: 0,
  linesAdded: 0,
  linesRemoved: 0,
  otherToolCount: 0,
};

/** The result of the call that waited for a sub-agent. */
export function handedBackLine(session: ClaudeSession, agent: SubAgent): JsonObject {
  const { agentId, step } = agent;
  const tools = step.steps.flatMap((inner) => (inner.type === "tool" ? [inner.name] : []));
  const tool_use_result = {
    status: "completed",
    prompt: step.prompt,
    agentId,
    agentType: SUB_AGENT_TYPE,
    content: [{ type: "text", text: step.result }],
    resolvedModel: session.model,
    totalDurationMs: 1,
    totalTokens: 1020,
    totalToolUseCount: tools.length,
    usage: turnUsage(session, 1),
    toolStats: { ...TOOL_STATS, bashCount: tools.filter((name) => name === "Bash").length },
    toolsUsed: tools,
    harnessNoteCount: 0,
    harnessSectionHash: "0",
    harnessTailCount: 0,
    canContinueAgent: true,
  };
  const text = `[Subagent hand-back] The text below is the final report of a subagent.\n  ${step.result}`;
  return userLine(session, [resultBlock(agent, text)], { more: { tool_use_result, ...decided(agent) } });
}
