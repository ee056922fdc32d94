import type { FakeScenario, FakeStep } from "claw-contract";
import type { Output } from "./output.ts";
import type { Scene, PlayedTurnEnd } from "./play-steps.ts";
import type { ProcessEnding, Stage } from "./stage.ts";
import { AudienceLeft } from "./stage.ts";
import type { PlayedDialogue, Voice } from "./voice.ts";
import { playSteps } from "./play-steps.ts";

/** Sub-agents come back one by one; each makes the CLI begin a turn by itself. */
async function playBackground(scene: Scene): Promise<void> {
  const { voice, output, stage, signal, background } = scene;
  for (const agent of voice.awaitsBackground ? background : []) {
    await stage.wait(agent.step.lasts_ms, signal);
    await output.say(voice.subAgentEnds(agent));
    await output.say(voice.open(""));
    await output.say(voice.text(agent.step.follow_up));
    await output.say(voice.close(agent));
  }
}

async function playToEnd(steps: readonly FakeStep[], scene: Scene): Promise<PlayedTurnEnd> {
  const { voice, output } = scene;
  await output.say(voice.open(scene.known.prompt));
  const end = await playSteps(steps, scene);
  if (end !== undefined) return end;
  await output.say(voice.close());
  await playBackground(scene);
  return { kind: "closed", failed: false };
}

/** Plays the turn of one prompt. When the scene's signal is aborted, the agent reports an interruption. */
async function playTurn(steps: readonly FakeStep[], scene: Scene): Promise<PlayedTurnEnd> {
  try {
    return await playToEnd(steps, scene);
  } catch (error) {
    if (!scene.signal.aborted || error !== scene.signal.reason) throw error;
    await scene.output.say(scene.voice.interrupted());
    return { kind: "closed", failed: false };
  }
}

/** The parts of one process of a fake agent. */
export interface Performance {
  readonly scenario: FakeScenario;
  readonly stage: Stage;
  readonly voice: Voice;
  readonly output: Output;
  readonly cwd: string;
  readonly model: string;
  /** The other side of the conversation. Without a dialogue there is a single prompt and no answers. */
  readonly dialogue?: PlayedDialogue;
  readonly prompt?: string;
  /** Whether the process resumes an earlier conversation. */
  readonly resumed?: boolean;
  readonly mayUse: (tool: string) => boolean;
  /** How the real CLI ends on SIGTERM, and on SIGINT; "interrupt" ends the turn in good order first. */
  readonly onSigterm: ProcessEnding;
  readonly onSigint: ProcessEnding | "interrupt";
  /** Called after the last turn, before the process ends. */
  readonly atEnd?: () => Promise<void>;
}

const FAILED: ProcessEnding = { code: 1 };

function stepsOfTurn({ scenario, resumed }: Performance, turn: number): readonly FakeStep[] {
  const { steps, later = [], resumed: instead } = scenario;
  const turns = resumed === true && instead !== undefined ? [instead] : [steps, ...later];
  return turns[Math.min(turn, turns.length - 1)] ?? [];
}

/** The prompts of a process, as they come. */
async function* prompts({ dialogue, prompt }: Performance): AsyncGenerator<string> {
  if (dialogue === undefined) return yield prompt ?? "";
  for (let next = await dialogue.prompt(); next !== undefined; next = await dialogue.prompt()) yield next;
}

/** Ends the turn that is being played, from outside. */
interface Interruption {
  begin(): AbortSignal;
  interrupt(): void;
}

function createInterruption(): Interruption {
  let current = new AbortController();
  return {
    begin() {
      current = new AbortController();
      return current.signal;
    },
    interrupt: () => current.abort(new Error("interrupted")),
  };
}

async function playAll(performance: Performance, interruption: Interruption): Promise<ProcessEnding> {
  const { scenario, voice, output, stage, dialogue, mayUse, cwd, model } = performance;
  let turn = 0;
  let last: PlayedTurnEnd = { kind: "closed", failed: false };
  for await (const prompt of prompts(performance)) {
    const signal = interruption.begin();
    const known = { prompt, cwd, model, answer: "" };
    const scene: Scene = { scenario, voice, output, stage, dialogue, mayUse, signal, known, background: [] };
    last = await playTurn(stepsOfTurn(performance, turn), scene);
    if (last.kind === "ended") return last.ending;
    turn += 1;
  }
  await performance.atEnd?.();
  const { linger_ms: lingerMs } = scenario;
  if (lingerMs !== undefined) await stage.wait(lingerMs ?? Infinity, new AbortController().signal);
  return { code: scenario.exit_code ?? (last.failed ? 1 : 0) };
}

/**
 * Plays a whole process: all its prompts, until the scenario or a signal ends the process. Resolves with the ending.
 */
export function perform(performance: Performance): Promise<ProcessEnding> {
  const { scenario, stage, dialogue, onSigterm, onSigint } = performance;
  const interruption = createInterruption();
  dialogue?.onInterrupt(() => interruption.interrupt());
  const told = new Promise<ProcessEnding>((resolve) => {
    stage.onSignal((name) => {
      if (name === "SIGTERM" && scenario.ignore_sigterm !== true) resolve(onSigterm);
      if (name === "SIGINT" && onSigint === "interrupt") interruption.interrupt();
      else if (name === "SIGINT" && onSigint !== "interrupt") resolve(onSigint);
    });
  });
  const played = playAll(performance, interruption).catch((error: unknown) => {
    if (error instanceof AudienceLeft) return FAILED;
    throw error;
  });
  return Promise.race([told, played]);
}
