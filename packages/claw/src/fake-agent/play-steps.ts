import type { FakeScenario, FakeStep } from "claw-contract";
import type { Known } from "./fill-text.ts";
import { fillStep } from "./fill-text.ts";
import type { Output } from "./output.ts";
import { runPlayedCommand } from "./run-played-command.ts";
import type { ProcessEnding, Stage } from "./stage.ts";
import type {
  PlayedAnswer,
  PlayedDialogue,
  PermissionStep,
  QuestionStep,
  SubAgent,
  SubAgentStep,
  Voice,
} from "./voice.ts";

/** What steps are played with. */
export interface Scene {
  readonly scenario: FakeScenario;
  readonly voice: Voice;
  readonly output: Output;
  readonly stage: Stage;
  readonly dialogue: PlayedDialogue | undefined;
  /** Whether the tool may run without permission. */
  readonly mayUse: (tool: string) => boolean;
  readonly signal: AbortSignal;
  /** Values that strings of the scenario can name; `answer` changes during the turn. */
  known: Known;
  /** Sub-agents that go on beside the conversation. */
  readonly background: SubAgent[];
}

/** The end of a turn. A step returns undefined when the turn continues. */
export type PlayedTurnEnd =
  /** All was said and the turn is over. */
  | { readonly kind: "closed"; readonly failed: boolean }
  /** The whole process ends here. */
  | { readonly kind: "ended"; readonly ending: ProcessEnding };

const NO_ANSWER: PlayedAnswer = { allowed: false, interrupt: false, text: "there is no person to answer" };

async function playSubAgent(step: SubAgentStep, scene: Scene): Promise<void> {
  const { voice, output, stage, signal } = scene;
  const { agent, said } = voice.subAgentBegins(step);
  await output.say(said);
  for (const inner of step.steps) {
    if (inner.type === "wait") await stage.wait(inner.ms, signal);
    else if (inner.type === "tool") await output.say(voice.tool(await runPlayedCommand(inner, scene), agent));
    else if (inner.type === "text") await output.say(voice.text(inner.text.repeat(inner.repeat ?? 1), agent));
    else await output.say(voice.thinking(inner.text, agent));
  }
  if (step.background) scene.background.push(agent);
  else await output.say(voice.subAgentEnds(agent));
}

/**
 * Waits for the answer of the other side. Without an answer the request is refused. Rejects when the signal is aborted.
 */
async function answerTo(id: string, { dialogue, signal }: Scene): Promise<PlayedAnswer> {
  const answer = await Promise.race([dialogue?.answer(id), aborted(signal)]);
  return answer ?? NO_ANSWER;
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const abort = (): void => reject(signal.reason as Error);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}

async function playPermission(step: PermissionStep, scene: Scene): Promise<PlayedTurnEnd | undefined> {
  const { voice, output, mayUse } = scene;
  const request = mayUse(step.tool) ? undefined : voice.asks(step);
  if (request === undefined) {
    await output.say(voice.permits(await runPlayedCommand(step, scene), null));
    return playSteps(step.allowed, scene);
  }
  if (request === null) {
    await output.say(voice.denies(step, null, null));
    return playSteps(step.denied, scene);
  }
  await output.say(request.said);
  const answer = await answerTo(request.id, scene);
  scene.known = { ...scene.known, answer: answer.text };
  const { id } = request;
  await output.say(
    answer.allowed ? voice.permits(await runPlayedCommand(step, scene), id) : voice.denies(step, id, answer),
  );
  if (!answer.allowed && answer.interrupt) {
    await output.say(voice.interrupted());
    return { kind: "closed", failed: false };
  }
  return playSteps(answer.allowed ? step.allowed : step.denied, scene);
}

async function playQuestion(step: QuestionStep, scene: Scene): Promise<undefined> {
  const { voice, output } = scene;
  const request = voice.asksQuestion(step);
  if (request === null) {
    await output.say(voice.unasked(step));
    return undefined;
  }
  await output.say(request.said);
  const answer = await answerTo(request.id, scene);
  scene.known = { ...scene.known, answer: answer.text };
  await output.say(voice.answered(step, request.id, answer));
  return undefined;
}

async function playRepeat(
  step: Extract<FakeStep, { type: "repeat" }>,
  scene: Scene,
): Promise<PlayedTurnEnd | undefined> {
  for (let time = 0; time < step.times; time += 1) {
    const end = await playSteps(step.steps, scene);
    if (end !== undefined) return end;
  }
  return undefined;
}

/** Plays a step that ends the turn or the process. */
async function playEnd(
  step: Extract<FakeStep, { type: Ends }>,
  { voice, output, scenario }: Scene,
): Promise<PlayedTurnEnd> {
  switch (step.type) {
    case "cut": {
      const line = JSON.stringify(voice.text(step.text)[0] ?? {});
      await output.raw(line.slice(0, line.length / 2));
      return { kind: "ended", ending: { code: scenario.exit_code ?? 1 } };
    }
    case "exit": {
      if (step.stderr !== undefined) await output.complain(`${step.stderr}\n`);
      return { kind: "ended", ending: { code: step.code } };
    }
    case "crash": {
      return { kind: "ended", ending: { signal: step.signal } };
    }
    case "fail": {
      await output.say(voice.fail(step));
      return { kind: "closed", failed: true };
    }
    case "stop": {
      const { said, failed } = voice.stop(step);
      await output.say(said);
      return { kind: "closed", failed };
    }
  }
}

type Ends = "cut" | "exit" | "crash" | "fail" | "stop";
type Branches = "permission" | "question" | "repeat";

/** Plays a step after which the next step always follows. */
async function playOn(step: Exclude<FakeStep, { type: Ends | Branches }>, scene: Scene): Promise<void> {
  const { voice, output, stage, signal } = scene;
  switch (step.type) {
    case "text":
      return output.say(voice.text(step.text.repeat(step.repeat ?? 1)));
    case "thinking":
      return output.say(voice.thinking(step.text));
    case "tool":
      return output.say(voice.tool(await runPlayedCommand(step, scene)));
    case "sub_agent":
      return playSubAgent(step, scene);
    case "retry":
      await output.say(voice.retry(step));
      return stage.wait(step.delay_ms, signal);
    case "wait":
      return stage.wait(step.ms, signal);
    case "hang":
      return stage.wait(Infinity, signal);
    case "line":
      return output.raw(`${step.text}\n`);
    case "event":
      return output.raw(`${JSON.stringify(step.event)}\n`);
    case "stderr":
      return output.complain(`${step.text}\n`);
  }
}

const ENDS: ReadonlySet<string> = new Set<Ends>(["cut", "exit", "crash", "fail", "stop"]);

const isEnd = (step: FakeStep): step is Extract<FakeStep, { type: Ends }> => ENDS.has(step.type);

async function playStep(step: FakeStep, scene: Scene): Promise<PlayedTurnEnd | undefined> {
  if (step.type === "permission") return playPermission(step, scene);
  if (step.type === "question") return playQuestion(step, scene);
  if (step.type === "repeat") return playRepeat(step, scene);
  if (isEnd(step)) return playEnd(step, scene);
  await playOn(step, scene);
  return undefined;
}

/** Plays steps in order, until one of them ends the turn. Rejects when the scene's signal is aborted. */
export async function playSteps(steps: readonly FakeStep[], scene: Scene): Promise<PlayedTurnEnd | undefined> {
  for (const step of steps) {
    scene.signal.throwIfAborted();
    const end = await playStep(fillStep(step, scene.known), scene);
    if (end !== undefined) return end;
  }
  return undefined;
}
