import type { VerbInput, Redactor } from "claw-contract";
import { ClawError, cutChars } from "claw-contract";
import type { Agent, Approve, PermissionQuestion } from "../../../agent/index.ts";
import { createAgent, readMcpConfig } from "../../../agent/index.ts";
import type { LoadedSettings } from "../../../settings/index.ts";
import { loadSettings } from "../../../settings/index.ts";
import { chooseModel, choosePermissionMode, isModelId } from "../choose-model.ts";
import type { Ports, TerminalPort } from "../../runtime/handle.ts";
import { runRedactor } from "../run-redactor.ts";
import { requireMode } from "../permission-mode.ts";
import { recentTrial } from "./recent-trial.ts";

const MAX_DIFF_LINES = 60;
const MAX_FIELD = 2000;

function inputLines(input: unknown): string[] {
  if (typeof input !== "object" || input === null) return [`  ${cutChars(JSON.stringify(input) ?? "", MAX_FIELD)}`];
  return Object.entries(input).map(
    ([name, value]) =>
      `  ${name}: ${cutChars(typeof value === "string" ? value : (JSON.stringify(value) ?? ""), MAX_FIELD)}`,
  );
}

function diffLines(diff: string): string[] {
  const lines = diff.trimEnd().split("\n");
  const more = lines.length - MAX_DIFF_LINES;
  return more > 0 ? [...lines.slice(0, MAX_DIFF_LINES), `… ${more} more lines`] : lines;
}

/** The question for a person: the tool, the reason for asking, and the input or the diff. */
function describeQuestion({ tool, input, reason, preview }: PermissionQuestion, redactor: Redactor): string {
  const what = preview === null ? inputLines(input) : diffLines(preview.diff);
  return redactor.redactText([`claw wants to use ${tool}: ${reason}`, ...what].join("\n"));
}

/** Refuses every call, because there is no person to ask. */
const refuseAll: Approve = ({ reason }) =>
  Promise.resolve({ allow: false, reason: `${reason}, and there is no person to ask` });

/** Asks the person at the terminal. Anything but yes is no. */
const askAtTerminal =
  (terminal: TerminalPort, redactor: Redactor): Approve =>
  async (question, signal) => {
    const answer = await terminal.ask(`${describeQuestion(question, redactor)}\n[y]es, [n]o? `, signal);
    return /^\s*y(es)?\s*$/i.test(answer ?? "") ? { allow: true } : { allow: false, reason: "denied at the terminal" };
  };

/** Flags of a verb that configure the agent. */
export type AgentWishes = Pick<
  VerbInput<"prompt">,
  "model" | "permissionMode" | "allowedTools" | "budgetUsd" | "appendSystemPrompt" | "mcpConfig"
> & { readonly maxTurns?: number | undefined; readonly dryRun?: boolean | undefined };

/** Loads the settings. Settings that cannot be read may hold rules, so no work is done without readable settings. */
function requireSettings({ cwd, env, notes }: Ports): LoadedSettings {
  const settings = loadSettings(cwd, env);
  for (const warning of settings.warnings) notes.warn(warning);
  if (settings.error === null) return settings;
  throw new ClawError("CONFIG_INVALID", settings.error, { operation: "load_settings", target: cwd });
}

function requireModel(flag: string | undefined, settings: LoadedSettings, { env }: Ports): string {
  const { value, variable, source } = chooseModel(flag, settings, env);
  if (isModelId(value)) return value;
  throw new ClawError("INVALID_MODEL", `'${value.slice(0, 200)}' cannot be a model id`, {
    operation: "choose_model",
    target: source === "flag" ? "--model" : (variable ?? "model"),
  });
}

/** A number of the environment that is above zero; undefined when there is none. */
function positive(text: string | undefined): number | undefined {
  const number = Number(text);
  return text !== undefined && Number.isFinite(number) && number > 0 ? number : undefined;
}

/**
 * Asks the person at the terminal about calls that are neither allowed nor denied. Without a person, refuses the calls.
 */
const approverOf = ({ forPeople, terminal, redactor }: Ports): Approve =>
  forPeople && terminal !== null ? askAtTerminal(terminal, redactor) : refuseAll;

/** Opens the agent that flags, environment and settings ask for. The caller closes it. */
export async function openWorkAgent(
  wishes: AgentWishes,
  ports: Ports,
  approve: Approve = approverOf(ports),
): Promise<Agent> {
  const { cwd, env, signal, toolVersion: version } = ports;
  const loaded = requireSettings(ports);
  const redactor = runRedactor(ports, loaded);
  const settings = loaded.merged;
  const more = (wishes.mcpConfig ?? []).map((value) => readMcpConfig(value, cwd));
  const idleSeconds = positive(env["CLAW_API_IDLE_SECONDS"]);
  const model = requireModel(wishes.model, loaded, ports);
  const mode = requireMode(choosePermissionMode(wishes.permissionMode, loaded, env));
  const trial = recentTrial(ports, settings);
  const agent = await createAgent(
    {
      cwd,
      env,
      settings,
      redactor,
      version,
      approve,
      model,
      mode,
      sandboxWorks: trial.works,
      allowedTools: wishes.allowedTools,
      mcpServers: Object.assign({}, settings.mcpServers, ...more) as Record<string, unknown>,
      maxIterations: wishes.maxTurns ?? null,
      budgetUsd: wishes.budgetUsd ?? null,
      appendSystemPrompt: wishes.appendSystemPrompt ?? null,
      attempts: positive(env["CLAW_API_ATTEMPTS"]),
      idleMs: idleSeconds === undefined ? undefined : idleSeconds * 1000,
    },
    signal,
  );
  if (mode !== "danger-full-access" && wishes.dryRun !== true) trial.store();
  for (const notice of agent.notices) ports.notes.warn(notice);
  return agent;
}
