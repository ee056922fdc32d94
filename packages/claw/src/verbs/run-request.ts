import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { HarnessId, VerbInput } from "@claw/contract";
import { ClawError, HARNESS_IDS, LIMITS } from "@claw/contract";
import type { Harness, RunRequest } from "../harness/index.ts";
import { agentEnvironment, HARNESSES } from "../harness/index.ts";
import { findProgram } from "../process/index.ts";
import { isModelId } from "./choose-model.ts";
import type { Ports, StandardInput } from "./handle.ts";

type Input = VerbInput<"run">;
type Environment = RunRequest["env"];

const invalid = (target: string, message: string, hint: string): ClawError =>
  new ClawError("INVALID_FLAG_VALUE", message, { operation: "parse_arguments", target, hint });

/** The variables of --env. */
export function readVariables(given: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> {
  const entries = given.flatMap((text): (readonly [string, string])[] => {
    const [, name = "", assigned, value = ""] = /^([^=\0]*)(=)?([^\0]*)$/s.exec(text) ?? [];
    if (name === "") throw invalid("--env", "--env needs a name", "Give it as NAME=VALUE, or NAME to hand ours on.");
    if (assigned !== undefined) return [[name, value]];
    const own = env[name];
    return own === undefined ? [] : [[name, own]];
  });
  return Object.fromEntries(entries);
}

/** The first agent that is installed, or the one that was asked for. */
export function chooseHarness(asked: Input["harness"], env: NodeJS.ProcessEnv, cwd: string): Harness {
  if (asked !== "auto") return HARNESSES[asked];
  const path = env["PATH"];
  const candidates = HARNESS_IDS.map((id: HarnessId) => HARNESSES[id]).filter(({ program }) => program !== null);
  const search = (kind: "found" | "not-executable"): Harness | undefined =>
    candidates.find(({ program }) => findProgram(program ?? "", { path, cwd }).kind === kind);
  // One that cannot be started says so better than none.
  const chosen = search("found") ?? search("not-executable");
  if (chosen !== undefined) return chosen;
  const names = candidates.map(({ program }) => program).join(", ");
  throw new ClawError("HARNESS_NOT_FOUND", `no agent is installed: looked for ${names}`, {
    operation: "start_agent",
    target: "auto",
  });
}

async function readStandardInput(stdin: StandardInput): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stdin.chunks()) {
    chunks.push(chunk);
    size += chunk.length;
    if (size <= LIMITS.runPromptBytes) continue;
    throw new ClawError("REQUEST_TOO_LARGE", `the prompt is larger than ${LIMITS.runPromptBytes} bytes`, {
      operation: "read_prompt",
      target: "stdin",
    });
  }
  return Buffer.concat(chunks).toString();
}

/** The prompt of the line, or of standard input when the line has none. A skill may do without. */
export async function readPrompt({ prompt, skill }: Input, { stdin, signal }: Ports): Promise<string> {
  const isGiven = prompt !== undefined && prompt !== "-";
  if (isGiven && (prompt.trim() !== "" || skill !== undefined)) return prompt;
  const mayRead =
    !isGiven && !(stdin.isTerminal() && prompt === undefined) && !(skill !== undefined && prompt === undefined);
  const read = mayRead ? await Promise.race([readStandardInput(stdin), aborted(signal)]) : "";
  if (read.trim() !== "" || skill !== undefined) return read;
  throw new ClawError("MISSING_PROMPT", isGiven || mayRead ? "the prompt is empty" : "PROMPT is missing", {
    operation: "parse_arguments",
    target: "PROMPT",
  });
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    if (signal.aborted) reject(signal.reason as Error);
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

function requireModel(model: string | undefined): string | null {
  if (model === undefined) return null;
  if (isModelId(model)) return model;
  throw new ClawError("INVALID_MODEL", `'${model.slice(0, 200)}' is no model id`, {
    operation: "parse_arguments",
    target: "--model",
  });
}

/** Whether Codex was logged in to before. */
function isLoggedIn(env: Environment): boolean {
  return existsSync(join(env["CODEX_HOME"] ?? join(env["HOME"] ?? homedir(), ".codex"), "auth.json"));
}

/** The program of an agent that is part of claw. */
function ownProgram({ id }: Harness, scenario: string | undefined, program: Ports["program"]): RunRequest["program"] {
  if (id !== "fake") return null;
  return [...program, "fake-agent", "claude", ...(scenario === undefined ? [] : ["--scenario", scenario])];
}

/** Codex is told of a skill by its name in the prompt. */
const mention = (skill: string, prompt: string): string => (prompt === "" ? `$${skill}` : `$${skill} ${prompt}`);

/** What the agent is asked to do, and with what. Reads standard input when the prompt comes from there. */
export async function readRequest(
  input: Input,
  harness: Harness,
  ports: Ports,
): Promise<Omit<RunRequest, "dialogue" | "lastMessagePath">> {
  const model = requireModel(input.model);
  const extra = readVariables(input.env ?? [], ports.env);
  const { noApiKey, syncTasks, skill } = input;
  const env = agentEnvironment(ports.env, { harness: harness.id, extra, noApiKey, syncTasks });
  const prompt = await readPrompt(input, ports);
  const isCodexSkill = harness.id === "codex" && skill !== undefined;
  return {
    prompt: isCodexSkill ? mention(skill, prompt) : prompt,
    skill: isCodexSkill ? null : (skill ?? null),
    model,
    cwd: ports.cwd,
    env,
    loggedIn: isLoggedIn(env),
    program: ownProgram(harness, input.scenario, ports.program),
  };
}
