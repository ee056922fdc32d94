import type { VerbInput } from "claw-contract";
import { ClawError } from "claw-contract";
import type { Agent, Approve } from "../../../agent/index.ts";
import { createAgent, readMcpConfig } from "../../../agent/index.ts";
import type { LoadedSettings } from "../../../settings/index.ts";
import { loadSettings } from "../../../settings/index.ts";
import { chooseModel, choosePermissionMode, isModelId } from "../choose-model.ts";
import type { Ports } from "../../runtime/handle.ts";
import { runRedactor } from "../run-redactor.ts";
import { requireMode } from "../permission-mode.ts";
import { askAtTerminal, refuseAll } from "./ask-approval.ts";

/** Flags of a verb that configure the agent. */
export type AgentWishes = Pick<
  VerbInput<"prompt">,
  "model" | "permissionMode" | "allowedTools" | "budgetUsd" | "appendSystemPrompt" | "mcpConfig"
> & { readonly maxTurns?: number | undefined };

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
  const agent = await createAgent(
    {
      cwd,
      env,
      settings,
      redactor,
      version,
      approve,
      model: requireModel(wishes.model, loaded, ports),
      mode: requireMode(choosePermissionMode(wishes.permissionMode, loaded, env)),
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
  for (const notice of agent.notices) ports.notes.warn(notice);
  return agent;
}
