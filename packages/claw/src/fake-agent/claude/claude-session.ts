import type { FakeScenario, JsonObject } from "claw-contract";
import type { Stage } from "../stage.ts";
import type { SubAgent } from "../voice.ts";
import type { ClaudeCall } from "./claude-call.ts";

/** The state of one process of the fake Claude Code, with the stamp for every output line. */
export interface ClaudeSession {
  readonly id: string;
  readonly cwd: string;
  readonly model: string;
  readonly call: ClaudeCall;
  readonly apiKeySource: string;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number; readonly cost_usd: number };
  readonly stage: Stage;
  /** A number that was never given out before. */
  next(): number;
  stamp(): { readonly session_id: string; readonly uuid: string };
}

const DEFAULT_MODEL = "claude-opus-5-5";
const DEFAULT_USAGE = { input_tokens: 1000, output_tokens: 20, cost_usd: 0.0044 };

export interface SessionSources {
  readonly call: ClaudeCall;
  readonly scenario: FakeScenario;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stage: Stage;
}

export function createClaudeSession({ call, scenario, cwd, env, stage }: SessionSources): ClaudeSession {
  const id = call.sessionId ?? stage.uuid();
  let count = 0;
  return {
    id,
    cwd,
    call,
    stage,
    model: call.model ?? scenario.model ?? DEFAULT_MODEL,
    apiKeySource: env["ANTHROPIC_API_KEY"] === undefined ? "none" : "ANTHROPIC_API_KEY",
    usage: { ...DEFAULT_USAGE, ...scenario.usage },
    next: () => (count += 1),
    stamp: () => ({ session_id: id, uuid: stage.uuid() }),
  };
}

/** Fields that tell whether a message comes from the main agent or from a sub-agent. */
export function origin(agent: SubAgent | undefined): JsonObject {
  if (agent === undefined) return { parent_tool_use_id: null };
  return {
    parent_tool_use_id: agent.callId,
    agent_id: agent.agentId,
    subagent_type: SUB_AGENT_TYPE,
    task_description: agent.step.description,
  };
}

export const SUB_AGENT_TYPE = "general-purpose";

export const sessionTimestamp = ({ stage }: ClaudeSession): string => stage.now().toISOString();
