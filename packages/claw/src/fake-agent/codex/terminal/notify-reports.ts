import type { JsonObject } from "claw-contract";
import type { TerminalReports } from "../../terminal/play-terminal.ts";
import { runProgram } from "../../terminal/run-program.ts";
import type { CodexThread } from "../codex-thread.ts";

/** What the model is told in the thread that finds a title for the first prompt. */
const titlePrompt = (prompt: string): string =>
  `Generate a concise, single-line task title.\n\nUser prompt:\n${prompt}`;

interface Ended {
  readonly thread: string;
  readonly prompt: string;
  readonly text: string;
}

/** The program of `-c notify=[…]`; undefined when there is none. */
export function notifyProgram(settings: readonly string[]): readonly [string, ...string[]] | undefined {
  const given = settings.findLast((setting) => setting.startsWith("notify="))?.slice("notify=".length);
  const [program, ...args] = given === undefined ? [] : (JSON.parse(given) as string[]);
  return program === undefined ? undefined : [program, ...args];
}

/**
 * The reports of Codex on a terminal: only the end of a turn. While the first turn runs, Codex reports in the same
 * words the end of the thread that finds a title.
 */
export function createNotifyReports(
  thread: CodexThread,
  program: ReturnType<typeof notifyProgram>,
  env: Readonly<Record<string, string | undefined>>,
): TerminalReports {
  const { cwd, stage } = thread;
  let prompt = "";
  let isTitled = false;
  const notify = async ({ thread: id, prompt: told, text }: Ended, signal: AbortSignal): Promise<string> => {
    const report: JsonObject = {
      type: "agent-turn-complete",
      "thread-id": id,
      "turn-id": stage.uuid(),
      cwd,
      client: "codex-tui",
      "input-messages": [told],
      "last-assistant-message": text,
    };
    if (program === undefined) return "";
    const argv = [...program, JSON.stringify(report)] as const;
    return runProgram({ argv, cwd, env, input: "" }, signal).catch(() => "");
  };
  return {
    run: async (event, fields, signal) => {
      const said = String(fields["last_assistant_message"]);
      if (event === "Stop") return notify({ thread: thread.id, prompt, text: said }, signal);
      if (event !== "UserPromptSubmit") return "";
      prompt = String(fields["prompt"]);
      if (isTitled) return "";
      isTitled = true;
      return notify({ thread: stage.uuid(), prompt: titlePrompt(prompt), text: "A title" }, signal);
    },
  };
}
