import type { HarnessId, PermissionMode, TroubleAction, WorkerMode } from "@claw/contract";
import { ClawError, HARNESS_IDS, LIMITS, PERMISSION_MODES, TROUBLE_ACTIONS, WORKER_MODES } from "@claw/contract";
import type { TroublePlan, WorkerBudget } from "@claw/contract/schemas";
import { fieldsOf, textOf, textsOf } from "../../bus/index.ts";

/** How the worktree of a worker is made. */
export interface WorktreeOrder {
  /** Files that git does not know and the worker needs, from the root of the repository. */
  readonly include: readonly string[];
  readonly setup: readonly string[];
  readonly teardown: readonly string[];
}

/** A request for a new worker. */
export interface WorkerOrder {
  /** When undefined, the daemon chooses a name. */
  readonly name: string | undefined;
  readonly harness: HarnessId;
  readonly mode: WorkerMode;
  readonly mission: string;
  readonly model: string | null;
  readonly cwd: string;
  readonly parentId: string | null;
  readonly fleet: string | null;
  readonly worktree: WorktreeOrder | null;
  readonly checks: readonly string[];
  readonly budget: WorkerBudget | null;
  readonly trouble: TroublePlan;
  readonly env: Readonly<Record<string, string>>;
  readonly scenario: string | null;
  readonly permissionMode: PermissionMode | null;
}

/** Default actions for a worker in trouble. */
const TROUBLE: TroublePlan = { stale: "alert", hung: "nudge", crash: "restart", restarts: 3 };

type Fields = Readonly<Record<string, unknown>>;

export const invalidOrder = (target: string, message: string): ClawError =>
  new ClawError("INVALID_FLAG_VALUE", message, { operation: "spawn_worker", target });

function oneOf<const Word extends string>(words: readonly Word[], value: unknown, name: string): Word {
  const word = words.find((each) => each === value);
  if (word !== undefined) return word;
  throw invalidOrder(name, `${name} is none of ${words.join(", ")}`);
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

function nameOf(value: unknown): string | undefined {
  const name = textOf(value);
  if (name === undefined) return undefined;
  if (NAME.test(name) && name.length <= LIMITS.workerNameLength && !/^p_\d+$/.test(name)) return name;
  throw invalidOrder("name", "a name has letters, digits, dots, dashes and underscores, and is not an id");
}

function missionOf(value: unknown): string {
  const mission = wordOf(value, "mission") ?? undefined;
  if (mission === undefined || mission.trim() === "") throw invalidOrder("mission", "the worker needs a mission");
  if (Buffer.byteLength(mission) <= LIMITS.workerMissionBytes) return mission;
  throw new ClawError("REQUEST_TOO_LARGE", "the mission is too long", { operation: "spawn_worker", target: "mission" });
}

type Amounts = Pick<WorkerBudget, "usd" | "tokens">;

function amountsOf(value: unknown): Amounts | null {
  const { usd, tokens } = fieldsOf(value);
  const given = Object.entries({ usd, tokens }).filter(([, amount]) => amount !== undefined && amount !== null);
  if (given.some(([, amount]) => typeof amount !== "number" || !(amount >= 0))) {
    throw invalidOrder("budget", "a budget is a number of dollars or tokens");
  }
  return given.length === 0 ? null : Object.fromEntries(given);
}

/** The budget of the worker as a whole, and of each of its runs. */
function budgetOf(value: unknown): WorkerBudget | null {
  const [whole, run] = [amountsOf(value), amountsOf(fieldsOf(value)["run"])];
  return whole === null && run === null ? null : { ...whole, ...(run === null ? {} : { run }) };
}

function troubleOf(value: unknown): TroublePlan {
  const { stale, hung, crash, restarts } = fieldsOf(value);
  const action = (given: unknown, name: string, otherwise: TroubleAction): TroubleAction =>
    given === undefined ? otherwise : oneOf(TROUBLE_ACTIONS, given, name);
  return {
    stale: action(stale, "stale", TROUBLE.stale),
    hung: action(hung, "hung", TROUBLE.hung),
    crash: action(crash, "crash", TROUBLE.crash),
    restarts:
      typeof restarts === "number" && Number.isSafeInteger(restarts) && restarts >= 0 ? restarts : TROUBLE.restarts,
  };
}

function worktreeOf(value: unknown): WorktreeOrder | null {
  if (value === undefined || value === null || value === false) return null;
  const { include, setup, teardown } = fieldsOf(value);
  return {
    include: commandsOf(include, "include"),
    setup: commandsOf(setup, "setup"),
    teardown: commandsOf(teardown, "teardown"),
  };
}

/** Whether a text has a zero byte, which no program argument can have. */
const hasNul = (text: string | null): boolean => text?.includes("\0") === true;

function variablesOf(value: unknown): Record<string, string> {
  const given = Object.entries(fieldsOf(value)).flatMap(([name, text]) =>
    typeof text === "string" ? [[name, text] as const] : [],
  );
  const bad = given.find(([name, text]) => name === "" || name.includes("=") || hasNul(name) || hasNul(text));
  if (bad !== undefined) throw invalidOrder("env", `${JSON.stringify(bad[0])} cannot be set for a program`);
  return Object.fromEntries(given);
}

const MAX_COMMANDS = 64;
const MAX_COMMAND_CHARS = 8192;

/** Commands, or paths of files: a few, each of a length that a shell takes. */
function commandsOf(value: unknown, name: string): string[] {
  const commands = textsOf(value);
  if (commands.length > MAX_COMMANDS) throw invalidOrder(name, `${name} has at most ${MAX_COMMANDS} entries`);
  if (commands.every((command) => command.length <= MAX_COMMAND_CHARS && !hasNul(command))) return commands;
  throw invalidOrder(name, `an entry of ${name} has at most ${MAX_COMMAND_CHARS} characters and no zero byte`);
}

function wordOf(value: unknown, name: string): string | null {
  const word = textOf(value) ?? null;
  if (word === null && (value ?? "") !== "") throw invalidOrder(name, `${name} is not text`);
  if (hasNul(word)) throw invalidOrder(name, `${name} has a zero byte`);
  return word;
}

/** Reads a request to start a worker. Throws INVALID_FLAG_VALUE or REQUEST_TOO_LARGE for an invalid field. */
export function readOrder(request: Fields, cwd: string): WorkerOrder {
  const { permission_mode: mode } = request;
  return {
    name: nameOf(request["name"]),
    harness: oneOf(HARNESS_IDS, request["harness"], "harness"),
    mode: oneOf(WORKER_MODES, request["mode"] ?? "headless", "mode"),
    mission: missionOf(request["mission"]),
    model: wordOf(request["model"], "model"),
    cwd: wordOf(request["cwd"], "cwd") ?? cwd,
    parentId: wordOf(request["parent_id"], "parent_id"),
    fleet: wordOf(request["fleet"], "fleet"),
    worktree: worktreeOf(request["worktree"]),
    checks: commandsOf(request["checks"], "checks"),
    budget: budgetOf(request["budget"]),
    trouble: troubleOf(request["trouble"]),
    env: variablesOf(request["env"]),
    scenario: wordOf(request["scenario"], "scenario"),
    permissionMode: mode === undefined || mode === null ? null : oneOf(PERMISSION_MODES, mode, "permission_mode"),
  };
}
