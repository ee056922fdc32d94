import { join } from "node:path";
import type { HarnessId } from "claw-contract";
import { ClawError } from "claw-contract";
import type { Ports } from "../../runtime/handle.ts";
import type { AgentDialog, DialogPlace } from "./agent-dialog.ts";
import { claudeDialogs } from "./claude-dialogs.ts";
import { codexDialogs } from "./codex-dialogs.ts";
import { configHome } from "../../../settings/index.ts";
import { readAgentJson, writeAgentFile } from "./agent-dialog.ts";

/** Which dialogs a person did not want to be answered beforehand, so that the person is asked once. */
interface Refusals {
  has(dialog: AgentDialog): boolean;
  add(dialog: AgentDialog): void;
}

const refusalKey = ({ agent, name, subject }: AgentDialog): string => `${agent}: ${name} ${subject}`;

/** Refusals in the user's folder of claw; none are kept for a user without a home. */
function openRefusals(env: NodeJS.ProcessEnv): Refusals {
  const home = configHome(env);
  const file = home === null ? null : join(home, "agent-dialogs.json");
  const known = (): Record<string, unknown> => (file === null ? {} : readAgentJson(file));
  return {
    has: (dialog) => known()[refusalKey(dialog)] === "no",
    add: (dialog) => {
      if (file !== null) {
        writeAgentFile(file, `${JSON.stringify({ ...known(), [refusalKey(dialog)]: "no" }, null, 2)}\n`);
      }
    },
  };
}

/** Dialogs that the caller answers with yes. */
export interface DialogConsent {
  readonly trustFolder: boolean;
  readonly useApiKey: boolean;
}

const YES = /^\s*y(es)?\s*$/i;

const FLAGS: Readonly<Record<AgentDialog["name"], { readonly flag: string; readonly field: keyof DialogConsent }>> = {
  "trust-folder": { flag: "--trust-folder", field: "trustFolder" },
  "api-key": { flag: "--use-api-key", field: "useApiKey" },
};

/** The questions that an agent may ask at its first start in a folder. */
export function dialogsOf(harness: HarnessId, place: DialogPlace): readonly AgentDialog[] {
  if (harness === "claude-code") return claudeDialogs(place);
  return harness === "codex" ? codexDialogs(place) : [];
}

/** Whether the agent will ask the question. When the file cannot be read, the agent itself reports the problem. */
export function isOpen(dialog: AgentDialog): boolean {
  try {
    return !dialog.isAnswered();
  } catch (error) {
    if (error instanceof ClawError && error.code === "FILESYSTEM_ERROR") return false;
    throw error;
  }
}

/**
 * Answers the questions of an agent's first start beforehand: with yes where a flag says so, or where the person at the
 * terminal says yes. A no is stored, so that the question comes only once. Without a flag and a terminal, writes
 * nothing and warns which question will come. Throws FILESYSTEM_ERROR when an answer cannot be written.
 */
export async function settleDialogs(
  dialogs: readonly AgentDialog[],
  consent: DialogConsent,
  { terminal, notes, env, signal }: Pick<Ports, "terminal" | "notes" | "env" | "signal">,
): Promise<void> {
  const refusals = openRefusals(env);
  for (const dialog of dialogs) {
    const { agent, question, file, name } = dialog;
    const { flag, field } = FLAGS[name];
    if (consent[field]) {
      if (!dialog.isAnswered()) dialog.accept();
      continue;
    }
    if (!isOpen(dialog) || refusals.has(dialog)) continue;
    if (terminal === null) {
      notes.warn(`${agent} will ask: ${question}? Answer it with claw attach, or start the worker with ${flag}`);
      continue;
    }
    const answer = await terminal.ask(`${question} for ${agent}? It is recorded in ${file}. [y/N] `, signal);
    if (answer !== null && YES.test(answer)) dialog.accept();
    else refusals.add(dialog);
  }
}
