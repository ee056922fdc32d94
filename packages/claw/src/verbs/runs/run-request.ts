import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Environment, HarnessId, PermissionMode, VerbInput } from "claw-contract";
import { ClawError, HARNESS_IDS } from "claw-contract";
import type { Harness, RunRequest } from "../../harness/index.ts";
import { AGENT_PROGRAMS, agentEnvironment } from "../../harness/index.ts";
import { findProgram } from "../../process/index.ts";
import { isModelId } from "../agent/choose-model.ts";
import type { Ports } from "../runtime/handle.ts";
import { readPromptText } from "../agent/read-prompt.ts";

type Input = VerbInput<"run">;
const flagError = (target: string, message: string, hint: string): ClawError =>
  new ClawError("INVALID_FLAG_VALUE", message, { operation: "parse_arguments", target, hint });

/** The variables of --env. */
export function readVariables(given: readonly string[], env: NodeJS.ProcessEnv): Record<string, string> {
  const entries = given.flatMap((text): (readonly [string, string])[] => {
    const [name = "", ...values] = text.split("=");
    if (name === "" || text.includes("\0")) {
      throw flagError("--env", "--env needs a name", "Give it as NAME=VALUE, or NAME to hand ours on.");
    }
    if (values.length > 0) return [[name, values.join("=")]];
    const own = env[name];
    return own === undefined ? [] : [[name, own]];
  });
  return Object.fromEntries(entries);
}

/**
 * The harness that the caller asked for. `auto` means the first installed agent, else claw's own agent, which always
 * exists.
 */
export function chooseHarness(asked: Input["harness"], env: NodeJS.ProcessEnv, cwd: string): HarnessId {
  if (asked !== "auto") return asked;
  const path = env["PATH"];
  const others = HARNESS_IDS.filter((id) => AGENT_PROGRAMS[id] !== null);
  const search = (kind: "found" | "not-executable"): HarnessId | undefined =>
    others.find((id) => findProgram(AGENT_PROGRAMS[id] ?? "", { path, cwd }).kind === kind);
  // A program that cannot be executed leads to a better error than no program.
  return search("found") ?? search("not-executable") ?? "claw";
}

/** A skill may do without a prompt. */
export const readPrompt = ({ prompt, skill }: Input, ports: Ports): Promise<string> =>
  readPromptText(prompt, ports, { mayBeMissing: skill !== undefined });

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
  if (id === "claw") return program;
  if (id !== "fake") return null;
  return [...program, "fake-agent", "claude", ...(scenario === undefined ? [] : ["--scenario", scenario])];
}

/** Codex is told of a skill by its name in the prompt. */
const mention = (skill: string, prompt: string): string => (prompt === "" ? `$${skill}` : `$${skill} ${prompt}`);

/**
 * The permission mode. Without `--permission-mode`, a run whose questions are answered has no mode, so the agent asks.
 */
const modeOf = ({ permissionMode, onPermission }: Input): PermissionMode | undefined =>
  permissionMode ?? (onPermission === "deny" ? "workspace-write" : undefined);

/** Makes the request for the agent from the flags. Reads standard input when the prompt comes from there. */
export async function readRunRequest(
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
  const permissionMode = modeOf(input);
  return {
    prompt: isCodexSkill ? mention(skill, prompt) : prompt,
    skill: isCodexSkill ? null : (skill ?? null),
    model,
    cwd: ports.cwd,
    env,
    loggedIn: isLoggedIn(env),
    program: ownProgram(harness, input.scenario, ports.program),
    ...(permissionMode === undefined ? {} : { permissionMode }),
  };
}
