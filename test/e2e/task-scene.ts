import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import type { JsonObject } from "claw-contract";
import { jsonLines } from "../../packages/claw/src/process/testing/json-lines.ts";
import type { Conversation } from "../model-server/conversation.ts";
import { DIALECTS } from "../model-server/dialect.ts";
import type { ModelScenario } from "../model-server/model-scenario.ts";
import { createRandom } from "../reliability/random.ts";
import { react } from "../tasks/policy/policy.ts";
import type { Tamper } from "../tasks/policy/tampering.ts";
import { hasPassed, TEST_COMMAND } from "../tasks/policy/test-run.ts";
import type { Task } from "../tasks/task.ts";
import { createVocabulary } from "../tasks/vocabulary.ts";
import type { AgentScene } from "./agent-scene.ts";
import { openAgentScene } from "./agent-scene.ts";
import type { Body, Ended } from "./run-claw.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { cleanEnvironment } from "./workspace.ts";

/** What the agent has said and done, in all its runs. */
export interface TaskOutcome {
  readonly message: string;
  /** Of every run. */
  readonly stopReasons: readonly unknown[];
  /** Of the last. */
  readonly exitCode: unknown;
  readonly calls: readonly { readonly name: string; readonly input: JsonObject }[];
  readonly sessionId: string;
}

/** A repository to be mended, and a model that means to. */
export interface TaskScene {
  /** Whether the repository's test passes, by running it. */
  passes(): boolean;
  run(): Promise<TaskOutcome>;
  /** Files that are not as they were committed, in order. */
  changed(): string[];
  /** What the model was sent, before anybody tampered with it. */
  conversations(): Conversation[];
  readonly agent: AgentScene;
}

/** What a model that follows the policies of a task says. */
export const scenarioOf = ({ policy, delegate }: Task): ModelScenario => ({
  turns: [react(policy)],
  ...(delegate === undefined ? {} : { conversations: [{ prompt: delegate.prompt, turns: [react(delegate.policy)] }] }),
});

function runIn(workspace: Workspace, command: string, ...args: readonly string[]): { text: string; status: unknown } {
  const env = cleanEnvironment(workspace);
  const { stdout, status } = spawnSync(command, args, { cwd: workspace.cwd, env, encoding: "utf8" });
  return { text: stdout, status };
}

function createRepository(workspace: Workspace, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    const file = join(workspace.cwd, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const author = ["-c", "user.name=Tester", "-c", "user.email=tester@example.invalid"];
  for (const args of [
    ["init", "--quiet"],
    ["add", "."],
    [...author, "commit", "--quiet", "--message", "Begin"],
  ]) {
    const { status } = runIn(workspace, "git", ...args);
    if (status !== 0) throw new Error(`git ${args.join(" ")} ended with ${String(status)}`);
  }
}

const outcomeOf = (bodies: readonly Body[]): TaskOutcome => ({
  message: String(bodies.at(-1)?.["message"]),
  stopReasons: bodies.map((body) => body["stop_reason"]),
  exitCode: bodies.at(-1)?.["exit_code"],
  calls: bodies.flatMap((body) =>
    (body["tool_uses"] as { name: string; input_json: JsonObject }[]).map(({ name, input_json: input }) => ({
      name,
      input,
    })),
  ),
  sessionId: String(bodies.at(-1)?.["session_id"]),
});

interface StreamLine {
  readonly type: string;
  readonly message?: { readonly content: readonly { type: string; name: string; input: JsonObject }[] };
  readonly result?: string;
  readonly subtype?: string;
  readonly session_id?: string;
}

/** What a stream of events came to. */
function outcomeOfStream({ stdout, exitCode }: Ended): TaskOutcome {
  const lines = jsonLines<StreamLine>(stdout);
  const blocks = lines.flatMap(({ type, message }) => (type === "assistant" ? (message?.content ?? []) : []));
  const last = lines.at(-1);
  return {
    message: last?.type === "result" ? String(last.result) : "",
    stopReasons: [last?.subtype === "success" ? "completed" : last?.subtype],
    exitCode,
    calls: blocks.filter(({ type }) => type === "tool_use").map(({ name, input }) => ({ name, input })),
    sessionId: String(last?.session_id),
  };
}

/** Requests of a first run that is to be gone on with. */
const FIRST_REQUESTS = 3;

async function runTask({ manner }: Task, agent: AgentScene, prompt: string): Promise<TaskOutcome> {
  if (manner === "interrupted") {
    const first = await agent.ask(prompt, "--max-turns", String(FIRST_REQUESTS));
    return outcomeOf([first, await agent.ask("Go on.", "--continue")]);
  }
  if (manner === undefined) return outcomeOf([await agent.ask(prompt)]);
  return outcomeOfStream(await agent.run(["-p", prompt, "--output-format", "stream-json"]));
}

/** Makes the repository of a task, with names and numbers that follow from the seed. */
export async function openTask(task: Task, seed: number, tamper?: Tamper): Promise<TaskScene> {
  const { prompt, files } = task.repository(createVocabulary(createRandom(seed)));
  const agent = await openAgentScene(scenarioOf(task), { api: task.api, ...(tamper === undefined ? {} : { tamper }) });
  const { workspace } = agent;
  createRepository(workspace, files);
  return {
    agent,
    passes: () => {
      const [command = "", ...args] = TEST_COMMAND.split(" ");
      const { text, status } = runIn(workspace, command, ...args);
      return hasPassed(text, status);
    },
    run: () => runTask(task, agent, prompt),
    changed: () =>
      runIn(workspace, "git", "status", "--porcelain", "--untracked-files=all", "--no-renames", "--", ".", ":!.claw")
        .text.split("\n")
        .flatMap((line) => (line === "" ? [] : [line.slice(3)]))
        .toSorted(),
    conversations: () =>
      agent.requests().flatMap(({ path, body }) => DIALECTS.find((dialect) => dialect.path === path)?.read(body) ?? []),
  };
}

/** The stored session, as the product itself loads it. */
export const loadSession = ({ agent }: TaskScene, { sessionId }: TaskOutcome): Promise<Body> =>
  clawJson(agent.workspace, ["load-session", sessionId]);

/** Files that calls of tools were meant to change, by their paths in the repository. */
export function filesWritten({ calls }: TaskOutcome, { agent }: TaskScene): string[] {
  const { cwd } = agent.workspace;
  const paths = calls
    .filter(({ name }) => name === "edit_file" || name === "write_file")
    .map(({ input }) => relative(cwd, resolve(cwd, String(input["path"]))));
  return [...new Set(paths)].toSorted();
}
