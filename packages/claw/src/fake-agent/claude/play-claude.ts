import type { JsonObject } from "claw-contract";
import { readText } from "../input-lines.ts";
import type { Output } from "../output.ts";
import { createOutput } from "../output.ts";
import type { Performance } from "../perform.ts";
import { perform } from "../perform.ts";
import type { Play, ProcessEnding } from "../stage.ts";
import { isEarlyAnswer } from "../stage.ts";
import type { TerminalCall } from "../terminal/play-terminal.ts";
import { playTerminal } from "../terminal/play-terminal.ts";
import { isComplaint } from "../voice.ts";
import type { ClaudeCall } from "./claude-call.ts";
import { readClaudeCall } from "./claude-call.ts";
import { ClaudeDialogue } from "./claude-dialogue.ts";
import { mayUse } from "./claude-permissions.ts";
import { createClaudeSession } from "./claude-session.ts";
import { ClaudeVoice } from "./claude-voice.ts";
import { CLAUDE_LOOK } from "./terminal/claude-look.ts";
import { createSettingsHooks } from "./terminal/settings-hooks.ts";

const NO_PROMPT = "Error: Input must be provided either through stdin or as a prompt argument when using --print\n";
const NONSENSE = "Error parsing streaming input line\n";

/** `text` and `json` show the last result only, once everything is over. */
function lastResultOnly(
  output: Output,
  format: ClaudeCall["outputFormat"],
): { output: Output; end: () => Promise<void> } {
  let last: JsonObject | undefined;
  return {
    output: {
      ...output,
      async say(said) {
        for (const item of said) {
          if (isComplaint(item)) await output.say([item]);
          else if (item["type"] === "result") last = item;
        }
      },
    },
    end: async () => {
      if (last === undefined) return;
      if (format === "json") return output.say([last]);
      const { result, errors } = last as { result?: string; errors?: readonly string[] };
      await output.raw(`${result ?? errors?.join("\n") ?? ""}\n`);
    },
  };
}

/** Plays a two-way conversation, until stdin holds a line that is no JSON. */
async function speak(performance: Performance, dialogue: ClaudeDialogue): Promise<ProcessEnding> {
  const deaf = dialogue.listen().then(async (understood): Promise<ProcessEnding> => {
    if (understood) return new Promise<never>(() => {});
    await performance.output.complain(NONSENSE);
    return { code: 1 };
  });
  return Promise.race([perform({ ...performance, dialogue: dialogue.mail }), deaf]);
}

/** Claude Code on a terminal: its hooks are those of `--settings`. */
function terminalCall({ cwd, env, stage }: Play, { prompt, resumes, settings, ...call }: ClaudeCall): TerminalCall {
  const sessionId = call.sessionId ?? stage.uuid();
  const hooks = createSettingsHooks(settings, { cwd, env, sessionId, permissionMode: call.permissionMode });
  return {
    prompt,
    resumes,
    look: CLAUDE_LOOK,
    hooks,
    lastLine: `Resume this session with: claude --resume ${sessionId}`,
  };
}

/** Plays one process of Claude Code. Resolves with how it ends. */
export async function playClaude(play: Play): Promise<ProcessEnding> {
  const { argv, scenario, cwd, env, stage } = play;
  const direct = createOutput(stage, scenario.drip);
  const call = readClaudeCall(argv, scenario, stage.inputIsTerminal);
  if (isEarlyAnswer(call)) {
    await stage.write(call.to, Buffer.from(call.text));
    return { code: call.code };
  }
  const streams = call.outputFormat === "stream-json";
  const { output, end } = streams ? { output: direct, end: undefined } : lastResultOnly(direct, call.outputFormat);
  const session = createClaudeSession({ call, scenario, cwd, env, stage });
  const common = { scenario, stage, output, cwd, model: session.model, voice: new ClaudeVoice(session) };
  const performance: Performance = {
    ...common,
    resumed: call.resumes,
    mayUse: (tool) => mayUse(call, tool),
    onSigterm: { code: 143 },
    onSigint: "interrupt",
    ...(end === undefined ? {} : { atEnd: end }),
  };
  if (!call.prints) return playTerminal(play, terminalCall(play, call), performance);
  if (call.streamsInput) return speak(performance, new ClaudeDialogue(session, output));
  const prompt = call.prompt ?? (await readText(stage.input)).trim();
  if (prompt !== "") return perform({ ...performance, prompt });
  await output.complain(NO_PROMPT);
  return { code: 1 };
}
