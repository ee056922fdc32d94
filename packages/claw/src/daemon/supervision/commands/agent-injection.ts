import type { HarnessId, TerminalScreen } from "claw-contract";
import { ENTER, takesPastes } from "./inert-text.ts";
import { withinPace } from "./injection-pace.ts";
import type { Hindrance } from "./screens/read-agent-screen.ts";
import { HINDRANCES, hindranceTo, holdsPaste, readAgentScreen } from "./screens/read-agent-screen.ts";
import type { Injection } from "./terminal-injection.ts";
import { encode, LOOKS, prepareText } from "./terminal-injection.ts";

/** A text for the terminal of an agent whose screens are known. */
export interface AgentInjection extends Injection {
  readonly harness: HarnessId;
  /** Whether events of the worker say that the agent is at work. */
  readonly isBusy: () => boolean;
  /** Called at every look that finds a reason not to type, or not to press Enter. */
  readonly held: (why: Hindrance) => void;
}

/** After earlier looks have just agreed, one more look is enough. */
const ALMOST = LOOKS - 1;

type Look = (screen: TerminalScreen) => Promise<Hindrance | null> | Hindrance | null;

/**
 * Looks at the screen until several looks in a row find no hindrance. Reports a hindrance when as many looks in a row
 * find the same. `before` is the number of looks right before that found no hindrance.
 */
async function untilClear(injection: AgentInjection, look: Look, signal: AbortSignal, before = 0) {
  const { terminals, terminalId, pace, pause, held } = injection;
  let last: Hindrance | null = null;
  for (let agreed = before; ;) {
    const screen = await terminals.screen(terminalId);
    const why = await look(screen);
    signal.throwIfAborted();
    agreed = why === last ? agreed + 1 : 1;
    last = why;
    if (agreed >= LOOKS && why === null) return screen;
    if (agreed === LOOKS && why !== null) held(why);
    const stirred = (own: AbortSignal) => terminals.whenOutput(terminalId, screen.offset, own);
    if (why !== null) await withinPace({ ms: pace.lookMs, pause }, signal, stirred);
    await pause(pace.settleMs, signal);
  }
}

/** Waits until the agent's prompt is open and empty. */
function untilOpen(injection: AgentInjection, signal: AbortSignal, before = 0): Promise<TerminalScreen> {
  const { terminals, terminalId, harness, isBusy } = injection;
  const look: Look = async (screen) => {
    if (isBusy()) return HINDRANCES.atWork;
    const isMarked = await takesPastes(terminals, terminalId, screen);
    return hindranceTo(readAgentScreen(harness, screen), { isMarked });
  };
  return untilClear(injection, look, signal, before);
}

/** Waits until the agent's prompt shows the paste, and no question stands over it. */
function untilSeen(injection: AgentInjection, text: string, signal: AbortSignal, before = 0) {
  const look: Look = (screen) => {
    const reading = readAgentScreen(injection.harness, screen);
    if (holdsPaste(reading, text)) return null;
    return reading.kind === "prompt" ? HINDRANCES.unseen : HINDRANCES[reading.kind];
  };
  return untilClear(injection, look, signal, before);
}

/** Waits until the agent's prompt is seen again, without the paste. */
async function untilTaken(injection: AgentInjection, text: string, signal: AbortSignal): Promise<number> {
  const look: Look = (screen) => {
    const reading = readAgentScreen(injection.harness, screen);
    return reading.kind === "prompt" && !holdsPaste(reading, text) ? null : HINDRANCES.unseen;
  };
  return (await untilClear({ ...injection, held: () => undefined }, look, signal)).offset;
}

/**
 * Pastes a text into an agent's prompt and presses Enter once. Pastes only after the prompt is seen to be open and
 * empty, and presses Enter only after the prompt is seen to hold the paste. Resolves with the offset in the terminal's
 * output at which the screen shows that the agent took the text. Waits until the signal is aborted, and rejects as
 * `injectText` does.
 */
export async function injectIntoAgent(injection: AgentInjection, signal: AbortSignal): Promise<number> {
  const { terminals, terminalId } = injection;
  const { bytes, inert } = prepareText(terminalId, injection.text, true);
  const open = await untilOpen(injection, signal);
  await injection.begun(open.offset);
  // A question may have appeared on the screen while the event was stored.
  await untilOpen(injection, signal, ALMOST);
  await terminals.write(terminalId, bytes);
  const seen = await untilSeen(injection, inert, signal);
  await injection.injected(seen.offset);
  signal.throwIfAborted();
  await untilSeen(injection, inert, signal, ALMOST);
  await terminals.write(terminalId, encode(ENTER));
  injection.entered();
  return untilTaken(injection, inert, signal);
}
