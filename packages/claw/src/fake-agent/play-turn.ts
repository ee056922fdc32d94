import type { FakeStep } from "claw-contract";
import type { Scene, PlayedTurnEnd } from "./play-steps.ts";
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
export async function playTurn(steps: readonly FakeStep[], scene: Scene): Promise<PlayedTurnEnd> {
  try {
    return await playToEnd(steps, scene);
  } catch (error) {
    if (!scene.signal.aborted || error !== scene.signal.reason) throw error;
    await scene.output.say(scene.voice.interrupted());
    return { kind: "closed", failed: false };
  }
}
