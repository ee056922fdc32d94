import { readText } from "../input-lines.ts";
import { createOutput } from "../output.ts";
import type { Performance } from "../perform.ts";
import { perform } from "../perform.ts";
import type { Play, ProcessEnding } from "../stage.ts";
import { isEarlyAnswer } from "../stage.ts";
import { playTerminal } from "../terminal/play-terminal.ts";
import { TerminalVoice } from "../terminal/terminal-voice.ts";
import { isComplaint } from "../voice.ts";
import { AppServerDialogue } from "./app-server-dialogue.ts";
import { AppServerVoice } from "./app-server-voice.ts";
import type { CodexCall } from "./codex-call.ts";
import { readCodexCall } from "./codex-call.ts";
import { createCodexThread } from "./codex-thread.ts";
import { CodexExecVoice } from "./exec-voice.ts";
import { CODEX_LOOK } from "./terminal/codex-look.ts";
import { createNotifyReports, notifyProgram } from "./terminal/notify-reports.ts";

type Common = Omit<Performance, "voice">;

/** The prompt, as `exec` puts it together of its argument and stdin, which has to be closed for it. */
async function readPrompt({ prompt }: CodexCall, { stage, output }: Common): Promise<string> {
  if (prompt === undefined || prompt === "-") {
    await output.complain("Reading prompt from stdin...\n");
    return (await readText(stage.input)).trim();
  }
  if (stage.inputIsTerminal) return prompt;
  await output.complain("Reading additional input from stdin...\n");
  const more = await readText(stage.input);
  return more === "" ? prompt : `${prompt}\n\n<stdin>\n${more}\n</stdin>`;
}

async function playExec(call: CodexCall, common: Common, voice: CodexExecVoice): Promise<ProcessEnding> {
  const prompt = await readPrompt(call, common);
  if (prompt === "") {
    await common.output.complain("No prompt provided via stdin.\n");
    return { code: 1 };
  }
  const atEnd = async (): Promise<void> => {
    if (call.lastMessagePath !== undefined) await common.stage.writeFile(call.lastMessagePath, voice.lastText());
    if (!call.json) await common.output.raw(`${voice.lastText()}\n`);
  };
  // Without --json only the last message is on stdout.
  const silent: Common["output"] = {
    ...common.output,
    say: (said) => common.output.say(said.filter((item) => isComplaint(item))),
  };
  return perform({ ...common, voice, prompt, atEnd, output: call.json ? common.output : silent });
}

/** Plays one process of Codex. Resolves with how it ends. */
export async function playCodex(play: Play): Promise<ProcessEnding> {
  const { argv, scenario, cwd, env, stage } = play;
  const output = createOutput(stage, scenario.drip);
  const call = readCodexCall(argv, scenario, stage.inputIsTerminal);
  if (isEarlyAnswer(call)) {
    await stage.write(call.to, Buffer.from(call.text));
    return { code: call.code };
  }
  const { threadId, model, sandbox } = call;
  const thread = createCodexThread(stage, scenario, {
    cwd,
    ...(threadId === undefined ? {} : { id: threadId }),
    ...(model === undefined ? {} : { model }),
    ...(sandbox === undefined ? {} : { sandbox }),
  });
  const common: Common = {
    scenario,
    stage,
    output,
    cwd,
    model: thread.model,
    mayUse: () => call.unguarded || thread.sandbox === "danger-full-access",
    onSigterm: { signal: "SIGTERM" },
    onSigint: { code: 1 },
  };
  if (call.form === "exec") return playExec(call, common, new CodexExecVoice(thread));
  if (call.form === "terminal") {
    const hooks = createNotifyReports(thread, notifyProgram(call.settings), env);
    const lastLine = `To continue this session, run codex resume ${thread.id}`;
    const resumes = call.threadId !== undefined;
    const seat = { prompt: call.prompt, resumes, look: CODEX_LOOK, hooks, lastLine };
    return playTerminal(play, seat, { ...common, voice: new TerminalVoice(scenario) });
  }
  const dialogue = new AppServerDialogue(thread, output);
  void dialogue.listen();
  return perform({ ...common, voice: new AppServerVoice(thread), dialogue: dialogue.mail });
}
