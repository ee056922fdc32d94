import { readFileSync } from "node:fs";
import type { JsonObject, SessionRecord } from "claw-contract";
import { onTestFinished } from "vitest";
import { jsonLines } from "../../packages/claw/src/process/testing/json-lines.ts";
import type { ModelScenario } from "../model-server/model-scenario.ts";
import type { ModelServerOptions, SeenRequest } from "../model-server/model-server.ts";
import { startModelServer } from "../model-server/model-server.ts";
import type { Body, Ended, RunOptions } from "./run-claw.ts";
import { clawJson, runClaw } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

/** The two ways a model can be spoken to. */
export const APIS = ["anthropic", "openai"] as const;

export type Api = (typeof APIS)[number];

export const KEY = "sk-ant-api03-e2e-0123456789abcdefghijklmnopqrstuvwxyz";

/** A folder, a scripted model and the means to let the agent loose on both. */
export interface AgentScene {
  readonly workspace: Workspace;
  readonly env: NodeJS.ProcessEnv;
  /** Asks in JSON and checks the envelope. */
  ask(prompt: string, ...flags: readonly string[]): Promise<Body>;
  /** Runs any call with the scene's model. */
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
  /** What the model was sent so far. */
  requests(): readonly SeenRequest[];
}

const MODELS: Readonly<Record<Api, string>> = { anthropic: "claude-opus-4-5", openai: "gpt-4.1" };

/** Variables that lead a model's requests to the server. One retry, so that what always fails fails soon. */
function environmentFor(api: Api, baseUrl: string): NodeJS.ProcessEnv {
  const common = { CLAW_MODEL: MODELS[api], CLAW_API_ATTEMPTS: "2" };
  if (api === "anthropic") return { ...common, ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: baseUrl };
  return { ...common, OPENAI_API_KEY: KEY, OPENAI_BASE_URL: `${baseUrl}/v1` };
}

/** How the model is spoken to, and how its server is to behave. */
export interface SceneOptions extends Pick<ModelServerOptions, "tamper"> {
  readonly api?: Api;
  readonly env?: NodeJS.ProcessEnv;
}

export async function openAgentScene(
  scenario: ModelScenario,
  { api = "anthropic", env = {}, ...options }: SceneOptions = {},
): Promise<AgentScene> {
  const workspace = createWorkspace();
  const server = await startModelServer({ ...options, scenarios: { scene: scenario } });
  onTestFinished(() => server.close());
  const all = { ...environmentFor(api, server.baseUrl("scene", workspace.cwd)), ...env };
  const running = (more: RunOptions = {}): RunOptions => ({ ...more, env: { ...all, ...more.env } });
  return {
    workspace,
    env: all,
    ask: (prompt, ...flags) => clawJson(workspace, ["-p", prompt, ...flags], running()),
    run: (args, more) => runClaw(workspace, args, running(more)),
    requests: () => server.requests(workspace.cwd),
  };
}

/** The records of the session an answer names. */
export function sessionOf(body: Body): SessionRecord[] {
  return jsonLines<SessionRecord>(readFileSync(String(body["session_path"]), "utf8"));
}

export const rolesIn = (records: readonly SessionRecord[]): string[] =>
  records.flatMap((record) => (record.type === "message" ? [record.message.role] : []));

export const results = (body: Body): (JsonObject & { output: string; is_error: boolean })[] =>
  body["tool_results"] as (JsonObject & { output: string; is_error: boolean })[];
