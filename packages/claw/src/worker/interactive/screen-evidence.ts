import type { ReplyFields } from "claw-contract";
import type { AgentSession } from "./agent-session.ts";
import { PROMPT_WAITS } from "./agent-session.ts";

/**
 * Equal looks in a row before the result is believed: work or a question, rest after a turn, rest before the first
 * turn, and an unknown screen.
 */
const SCREEN_LOOKS = 2;
const SCREEN_REST_LOOKS = 3;
const SCREEN_FIRST_LOOKS = 5;
const SCREEN_UNKNOWN_LOOKS = 12;

/** The content of an agent's screen, as the daemon classifies it. */
export type Shown = NonNullable<ReplyFields<"worker.terminal.watch">["shown"]>;

/** Signals to publish, because the screen shows a state that the agent did not report. */
export interface ScreenTelling {
  readonly signals: readonly (readonly [
    name: "turn_started" | "turn_ended" | "needs_input" | "unclear",
    text: string,
  ])[];
  readonly session: AgentSession;
}

const UNCLEAR = "its terminal shows neither its prompt nor a question";

/** How often a screen must be seen before it is trusted. */
export function looksFor(shown: Shown, { turn }: AgentSession): number {
  if (shown.kind === "unknown") return SCREEN_UNKNOWN_LOOKS;
  if (shown.kind !== "at-rest") return SCREEN_LOOKS;
  // A starting agent shows an empty prompt before it takes its first prompt.
  return turn === "none" ? SCREEN_FIRST_LOOKS : SCREEN_REST_LOOKS;
}

/** Whether the agent's wait is known from a report, and not from the screen. */
const isReported = ({ waits, shown }: AgentSession): boolean =>
  waits !== null && waits !== PROMPT_WAITS && shown === null;

function atWork(session: AgentSession): ScreenTelling | null {
  const isKnown = session.turn === "running" && session.shown === null;
  if (isKnown || (session.turn === "running" && isReported(session))) return null;
  return { signals: [["turn_started", ""]], session: { ...session, turn: "running", waits: null, shown: null } };
}

/** No report tells that a person stopped the agent or refused a request. The agent's prompt on the screen shows it. */
function atRest(session: AgentSession): ScreenTelling | null {
  const { turn, waits, shown } = session;
  const resting = { ...session, waits: PROMPT_WAITS, shown: null };
  if (turn === "running") {
    const text = "its turn was stopped at its terminal";
    return {
      signals: [
        ["turn_ended", text],
        ["needs_input", PROMPT_WAITS],
      ],
      session: { ...resting, turn: "ended" },
    };
  }
  const isKnown = waits !== null && shown === null;
  return isKnown ? null : { signals: [["needs_input", PROMPT_WAITS]], session: resting };
}

function asking(session: AgentSession, asks: string, worker: string): ScreenTelling | null {
  const text = `its terminal asks: ${asks || "something"} (answer: claw attach ${worker})`;
  if (isReported(session) || session.shown === text) return null;
  return { signals: [["needs_input", text]], session: { ...session, waits: text, shown: text } };
}

function unclear(session: AgentSession): ScreenTelling | null {
  if (session.turn === "ended" || isReported(session) || session.shown === UNCLEAR) return null;
  return { signals: [["unclear", UNCLEAR]], session: { ...session, waits: null, shown: UNCLEAR } };
}

/** The signals that a screen, seen often enough, adds to the agent's reports; null when there are none. Pure. */
export function readShown(session: AgentSession, shown: Shown, worker: string): ScreenTelling | null {
  switch (shown.kind) {
    case "at-work":
      return atWork(session);
    case "at-rest":
      return atRest(session);
    case "question":
      return asking(session, shown.asks, worker);
    case "unknown":
      return unclear(session);
  }
}
