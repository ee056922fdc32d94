import type { HarnessId, ReplyFields, TerminalScreen } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { Terminals } from "../../../../bus/index.ts";
import type { Sleep } from "../injection-pace.ts";
import { withinPace } from "../injection-pace.ts";
import { askedOn } from "./asked-on.ts";
import { readAgentScreen } from "./read-agent-screen.ts";

/** How long a terminal draws nothing before its screen counts as quiet. */
export const SCREEN_QUIET_MS = 600;
/** How long claw waits for a screen that keeps drawing, before claw reads the screen anyway. */
export const SCREEN_BUSY_MS = 2000;
/** How long one request waits for a terminal to draw something. */
export const SCREEN_WAIT_MS = 30_000;

/**
 * One look at an agent's screen. `shown` is null when the terminal drew no output, or when the caller waits for rest and
 * the terminal still draws.
 */
export type AgentLook = ReplyFields<"worker.terminal.watch">;

/** The state of an agent, as far as its screen shows the state. */
export type ShownByAgent = NonNullable<AgentLook["shown"]>;

export interface LookRequest {
  readonly terminals: Terminals;
  readonly terminalId: string;
  readonly harness: HarnessId;
  /** Looks when the terminal has more output bytes than this; null looks as soon as the terminal rests. */
  readonly after: number | null;
  /** Whether the screen of a terminal that goes on drawing is left unread. */
  readonly calm: boolean;
  readonly pause: Sleep;
}

/** The state of an agent, read from its screen. */
export function shownOn(harness: HarnessId, screen: TerminalScreen): ShownByAgent {
  const reading = readAgentScreen(harness, screen);
  if (reading.kind === "prompt") return { kind: reading.isAtWork ? "at-work" : "at-rest" };
  return reading.kind === "question" ? { kind: "question", asks: askedOn(screen) } : { kind: "unknown" };
}

/** Resolves when the terminal drew no output for a moment. */
async function untilQuiet({ terminals, terminalId, pause }: LookRequest, signal: AbortSignal): Promise<true> {
  for (let offset = await terminals.offset(terminalId); ;) {
    const drawn = (own: AbortSignal): Promise<number> => terminals.whenOutput(terminalId, offset, own);
    const next = await withinPace({ ms: SCREEN_QUIET_MS, pause }, signal, drawn);
    // The time limit may be over at this moment.
    signal.throwIfAborted();
    if (next === undefined) return true;
    offset = next;
  }
}

/**
 * Waits until an agent's terminal has drawn output and rests again, and reads its screen. Resolves also when the
 * terminal draws no output for long, or goes on drawing. Rejects with TERMINAL_NOT_FOUND, and with the signal's reason.
 */
export async function lookAtAgent(request: LookRequest, signal: AbortSignal): Promise<AgentLook> {
  const { terminals, terminalId, harness, after, calm, pause } = request;
  if (after !== null) {
    const drawn = (own: AbortSignal): Promise<number> => terminals.whenOutput(terminalId, after, own);
    const total = await withinPace({ ms: SCREEN_WAIT_MS, pause }, signal, drawn);
    if (total === undefined) return { total: after, shown: null, quiet: true };
  }
  const ms = calm ? LIMITS.workerActivityMs : SCREEN_BUSY_MS;
  const quiet = (await withinPace({ ms, pause }, signal, (own) => untilQuiet(request, own))) ?? false;
  if (calm && !quiet) return { total: await terminals.offset(terminalId), shown: null, quiet };
  const screen = await terminals.screen(terminalId);
  return { total: screen.offset, shown: shownOn(harness, screen), quiet };
}
