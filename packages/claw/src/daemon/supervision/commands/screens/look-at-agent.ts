import type { HarnessId, ReplyFields, TerminalScreen } from "claw-contract";
import { LIMITS, cutChars } from "claw-contract";
import type { Terminals } from "../../../../bus/index.ts";
import type { Sleep } from "../injection-pace.ts";
import { withinPace } from "../injection-pace.ts";
import { readAgentScreen } from "./read-agent-screen.ts";

/** A row in which a choice is marked. */
const CHOICE = /^\s*[\u276f\u203a] /;
/** Rows between a question and earlier content of the screen: rules, pictures, messages. */
const EDGE = /^[\u2500\u2594]{10}|^\.{10}|[\u2588\u2591\u2593]|^[\u276f\u203a\u25cf\u2022\u25e6] /;
/** The command line that Codex asks to run. */
const COMMAND = /^\$ /;
const QUESTION_CHARS = 120;
/** A shorter heading is understood only together with the next row. */
const HEADING_CHARS = 24;

/** The rows of the question: above the choices, below earlier content of the screen. */
function questionRows({ lines }: TerminalScreen): readonly string[] {
  const choice = lines.findLastIndex((line) => CHOICE.test(line));
  const above = lines.slice(0, choice === -1 ? lines.length : choice);
  const edge = above.findLastIndex((line) => EDGE.test(line));
  return above
    .slice(edge + 1)
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function heading([first = "", second = ""]: readonly string[]): string {
  return first.length < HEADING_CHARS ? `${first} ${second}`.trim() : first;
}

/** The question on a screen, as one line in the agent's words. Empty when the screen has no such text. */
export function askedOn(screen: TerminalScreen): string {
  const rows = questionRows(screen);
  const asked = rows.find((row) => row.includes("?"));
  const command = rows.find((row) => COMMAND.test(row));
  const said = asked === undefined ? heading(rows) : asked.slice(0, asked.lastIndexOf("?") + 1);
  const whole = command === undefined ? said : `${said} ${command}`;
  return cutChars(whole, QUESTION_CHARS, QUESTION_CHARS - 1);
}

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
