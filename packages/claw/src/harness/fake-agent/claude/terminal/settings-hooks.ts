import { readFileSync } from "node:fs";
import { fieldsOf } from "@claw/contract";
import type { TerminalReports } from "../../terminal/play-terminal.ts";
import { runProgram } from "../../terminal/run-program.ts";

type Fields = Readonly<Record<string, unknown>>;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function readSettings(given: string | undefined): Fields {
  if (given === undefined) return {};
  try {
    return fieldsOf(JSON.parse(given.trimStart().startsWith("{") ? given : readFileSync(given, "utf8")));
  } catch {
    // The real one starts without settings that it cannot read, too.
    return {};
  }
}

const commandsFor = (settings: Fields, event: string): readonly string[] =>
  listOf(fieldsOf(settings["hooks"])[event])
    .flatMap((entry) => listOf(fieldsOf(entry)["hooks"]))
    .flatMap((hook) => {
      const { command } = fieldsOf(hook);
      return typeof command === "string" ? [command] : [];
    });

export interface HookPlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly sessionId: string;
}

/** The hooks that `--settings` names, run as Claude Code runs them: those of an event one after the other; the last answers. */
export function createSettingsHooks(given: string | undefined, { cwd, env, sessionId }: HookPlace): TerminalReports {
  const settings = readSettings(given);
  return {
    run: async (event, fields, signal) => {
      let said = "";
      for (const command of commandsFor(settings, event)) {
        if (signal.aborted) break;
        const input = JSON.stringify({ hook_event_name: event, session_id: sessionId, cwd, ...fields });
        const argv = ["/bin/sh", "-c", command] as const;
        said = await runProgram({ argv, cwd, env, input }, signal).catch(() => "");
      }
      return said;
    },
  };
}
