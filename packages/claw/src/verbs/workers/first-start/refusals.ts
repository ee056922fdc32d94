import { join } from "node:path";
import { configHome } from "../../../settings/index.ts";
import type { AgentDialog } from "./agent-dialog.ts";
import { readAgentJson, writeAgentFile } from "./agent-file.ts";

/** Which dialogs a person did not want to be answered beforehand, so that the person is asked once. */
export interface Refusals {
  has(dialog: AgentDialog): boolean;
  add(dialog: AgentDialog): void;
}

const refusalKey = ({ agent, name, subject }: AgentDialog): string => `${agent}: ${name} ${subject}`;

/** Refusals in the user's folder of claw; none are kept for a user without a home. */
export function openRefusals(env: NodeJS.ProcessEnv): Refusals {
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
