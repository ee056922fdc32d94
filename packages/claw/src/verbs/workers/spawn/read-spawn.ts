import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { HarnessId, RequestFields, SpawnFields, VerbInput } from "claw-contract";
import { ClawError, spawnRequest } from "claw-contract";
import { findDaemon } from "../../../daemon/index.ts";
import { loadBuiltInScenarios } from "../../../fake-agent/index.ts";
import { AGENT_PROGRAMS } from "../../../harness/index.ts";
import { findProgram } from "../../../process/index.ts";
import { isModelId } from "../../agent/choose-model.ts";
import { loadScenario } from "../../runs/fake-scenario-file.ts";
import type { Ports } from "../../runtime/handle.ts";
import { readPromptText } from "../../agent/read-prompt.ts";
import { readVariables, chooseHarness } from "../../runs/run-request.ts";
import { requireChecks } from "./spawn-verdict.ts";

const SCRIPTED = "--harness claw --model scripted";

/**
 * The agent that `auto` means: the first that is installed, else claw's own if it has a key for its model. Throws
 * HARNESS_NOT_FOUND with the ways on when neither is the case.
 */
export async function chooseAgent(
  asked: HarnessId | "auto",
  model: string | undefined,
  ports: Ports,
): Promise<HarnessId> {
  const id = chooseHarness(asked, ports.env, ports.cwd);
  if (asked !== "auto" || id !== "claw") return id;
  // Loaded late: the module is needed only where no other agent is installed.
  const { missingKey } = await import("../../agent/open-agent.ts");
  const variable = missingKey(model, ports);
  if (variable === null) return id;
  throw new ClawError("HARNESS_NOT_FOUND", `no agent is installed, and claw's own has no key: ${variable} is not set`, {
    operation: "choose_agent",
    target: "auto",
    hint: `Install Claude Code or Codex, or set ${variable}. Without either: add ${SCRIPTED}, or run claw demo.`,
  });
}

/** An example call of `spawn` that works with the agents and keys of this machine. */
export async function spawnThatWorks(ports: Ports): Promise<string> {
  try {
    await chooseAgent("auto", undefined, ports);
    return 'claw spawn "explain this folder"';
  } catch (error) {
    if (error instanceof ClawError && error.code === "HARNESS_NOT_FOUND") return `claw spawn ${SCRIPTED} hello`;
    throw error;
  }
}

type Input = VerbInput<"spawn">;

/** Whether the worker may start on another machine, whose agents this machine does not know. */
const mayGoElsewhere = ({ on }: Input, { cwd }: Ports): boolean =>
  on !== undefined && on !== findDaemon(cwd)?.cluster?.machine;

/** Looks for the agent before the worker starts: the caller then sees a mistake at once, not as a failed worker. */
function requireAgent(harness: HarnessId, input: Input, ports: Ports): void {
  const { env, cwd } = ports;
  const program = AGENT_PROGRAMS[harness];
  if (program === null || mayGoElsewhere(input, ports)) return;
  const found = findProgram(program, { path: env["PATH"], cwd });
  if (found.kind === "found") return;
  const isMissing = found.kind === "missing";
  throw new ClawError(
    isMissing ? "HARNESS_NOT_FOUND" : "HARNESS_NOT_EXECUTABLE",
    isMissing ? `${program} is not installed` : `${found.path} cannot be executed`,
    { operation: "spawn_worker", target: program },
  );
}

function requireModel({ model }: Input): void {
  if (model === undefined || isModelId(model)) return;
  throw new ClawError("INVALID_MODEL", `'${model.slice(0, 200)}' is no model id`, {
    operation: "parse_arguments",
    target: "--model",
  });
}

/** The scenario of a fake agent. A file becomes an absolute path, because the agent may work in another folder. */
async function scenarioOf({ harness, scenario }: Input, { cwd }: Ports): Promise<string | undefined> {
  if (scenario === undefined) return undefined;
  if (harness !== "fake") {
    throw new ClawError("INVALID_FLAG_VALUE", "--scenario is for the fake agent", {
      operation: "parse_arguments",
      target: "--scenario",
      hint: "Add --harness fake, or leave it out.",
    });
  }
  const builtIn = await loadBuiltInScenarios();
  // Built-in scenarios need no check, and the schema library takes longer to load than all the rest.
  if (Object.hasOwn(builtIn, scenario)) return scenario;
  await loadScenario(scenario, cwd, builtIn);
  return resolve(cwd, scenario);
}

/** Refuses flags that answer questions which only an agent in a terminal asks. */
function requireInteractive({ interactive, trustFolder, useApiKey }: Input): void {
  const flag = trustFolder ? "--trust-folder" : useApiKey ? "--use-api-key" : undefined;
  if (interactive || flag === undefined) return;
  throw new ClawError("INVALID_FLAG_VALUE", `${flag} is for an agent in a terminal`, {
    operation: "parse_arguments",
    target: flag,
    hint: "Add --interactive, or leave it out.",
  });
}

function worktreeOf({ worktree, include, setup, teardown }: Input): SpawnFields["worktree"] {
  const lists = { include, setup, teardown };
  const [named] = Object.entries(lists).flatMap(([name, list]) => (list === undefined ? [] : [name]));
  if (worktree) return lists;
  if (named === undefined) return undefined;
  throw new ClawError("INVALID_FLAG_VALUE", `--${named} is for a worktree`, {
    operation: "parse_arguments",
    target: `--${named}`,
    hint: "Add --worktree, or leave it out.",
  });
}

/** Makes the request `worker.spawn` from the flags. Throws before a request is sent. */
export async function readSpawn(input: Input, ports: Ports): Promise<RequestFields<"worker.spawn">> {
  requireModel(input);
  requireInteractive(input);
  requireChecks(input);
  const worktree = worktreeOf(input);
  const scenario = await scenarioOf(input, ports);
  const harness = await chooseAgent(input.harness, input.model, ports);
  requireAgent(harness, input, ports);
  const mission = await readPromptText(input.mission, ports, { mayBeMissing: false });
  const { onStale: stale, onHung: hung, onCrash: crash, restarts } = input;
  return spawnRequest({
    harness,
    mode: input.interactive ? "interactive" : "headless",
    mission,
    name: input.name,
    model: input.model,
    cwd: ports.cwd,
    ...(input.on === undefined ? {} : { on: input.on }),
    parent_id: input.parent,
    worktree,
    checks: input.check ?? [],
    budget: { usd: input.budgetUsd, tokens: input.budgetTokens },
    trouble: { stale, hung, crash, restarts },
    env: readVariables(input.env ?? [], ports.env),
    scenario,
    permission_mode: input.permissionMode,
  });
}

/** The paths that a spawn would write, for a dry run. */
export const wouldAffect = ({ cwd }: Ports, { worktree }: Input): string[] => {
  const folder = resolve(cwd, ".claws", "workers");
  return [folder, ...(worktree && existsSync(cwd) ? [resolve(cwd, ".claws", "worktrees")] : [])];
};
