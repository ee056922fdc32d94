import { arrayOf, objectOf } from "claw-contract";
import type { JsonObject } from "claw-contract";
import { systemShell } from "../../../process/index.ts";
import type { TerminalReports } from "../../terminal/play-terminal.ts";
import { runProgram } from "../../terminal/run-program.ts";
import { readSettings } from "../claude-permissions.ts";

const commandsFor = (settings: JsonObject, event: string): readonly string[] =>
  arrayOf(objectOf(settings["hooks"])[event])
    .flatMap((entry) => arrayOf(objectOf(entry)["hooks"]))
    .flatMap((hook) => {
      const { command } = objectOf(hook);
      return typeof command === "string" ? [command] : [];
    });

export interface HookPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sessionId: string;
  readonly permissionMode: string;
}

/** The hooks that `--settings` names, run as Claude Code runs them: those of an event one after the other; the last answers. */
export function createSettingsHooks(given: string | undefined, place: HookPlace): TerminalReports {
  const { cwd, env, sessionId, permissionMode } = place;
  const settings = readSettings(given);
  return {
    run: async (event, fields, signal) => {
      let said = "";
      for (const command of commandsFor(settings, event)) {
        if (signal.aborted) break;
        const common = { session_id: sessionId, cwd, permission_mode: permissionMode };
        const input = JSON.stringify({ hook_event_name: event, ...common, ...fields });
        const argv = systemShell.run(command);
        said = await runProgram({ argv, cwd, env, input }, signal).catch(() => "");
      }
      return said;
    },
  };
}
