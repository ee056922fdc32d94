import type { HarnessId, TerminalScreen } from "claw-contract";
import { bare } from "../composer.ts";
import { AGENT_PROMPTS } from "./agent-prompts.ts";
import { isAtStart, typedPromptText } from "./prompt-rows.ts";

/** The content of an agent's screen, as far as it matters for typing. */
export type AgentReading =
  /** The agent's prompt is open. `text` is the readable text in the prompt, see `legible`. */
  | { readonly kind: "prompt"; readonly text: string; readonly isAtWork: boolean }
  /** A question or a choice is open: keys would answer. */
  | { readonly kind: "question" }
  | { readonly kind: "unknown" };

/**
 * A text in a form that is the same for two programs that draw differently: without blanks, frames, accents and
 * characters without width.
 */
const legible = (text: string): string => bare(text.normalize("NFD")).replaceAll(/[\p{Cf}\p{Mn}]/gu, "");

/** Signs of a question on an agent's screen: a marked choice, or a hint which keys answer. */
const QUESTION =
  /^\s*[\u276f\u203a] (?:\u2714 |\d+\. )|\b(?:esc|Esc) (?:to )?(?:cancel|quit|skip|back|confirm|close)\b|^Allow it\? y once|\benter(?:\/\w+)? (?:continue|select|confirm)\b|\bEnter to \w+/;

/**
 * Reads an agent's screen. A prompt counts as open only when its rows are found around the cursor, drawn as the agent
 * draws them. Into an unknown screen, no text is typed.
 */
export function readAgentScreen(harness: HarnessId, screen: TerminalScreen): AgentReading {
  const { find, placeholder, isAtWork } = AGENT_PROMPTS[harness];
  const rows = find(screen);
  if (rows === undefined) {
    return { kind: screen.lines.some((line) => QUESTION.test(line)) ? "question" : "unknown" };
  }
  const written = typedPromptText(screen, rows);
  const isEmpty = isAtStart(screen, rows) && placeholder.test(written.trim());
  return { kind: "prompt", text: isEmpty ? "" : legible(written), isAtWork: isAtWork(screen, rows) };
}

/** Text that agents show in place of a long paste. */
const MARK = /^\[Pasted[^\]]*\]$/i;

/** A text longer than the prompt shows only its end. At least this many characters of the end have to be visible. */
const TELLING_CHARS = 12;

/** Whether a prompt that was empty before a paste holds exactly the paste. */
export function holdsPaste(reading: AgentReading, pasted: string): boolean {
  if (reading.kind !== "prompt") return false;
  const [seen, whole] = [reading.text, legible(pasted)];
  if (whole === "") return false;
  if (seen === whole || MARK.test(seen)) return true;
  return seen.length >= TELLING_CHARS && whole.endsWith(seen);
}

/** Reasons why no text is typed into an agent's terminal now. People read these texts, so each text is defined once. */
export const HINDRANCES = {
  question: "a question is open in the worker's terminal",
  unknown: "the worker's terminal does not show its prompt",
  draft: "the worker's prompt holds another text",
  atWork: "the agent is at work",
  unmarked: "the worker's program takes no pastes now",
  unseen: "it was pasted, but the worker's prompt does not show it",
} as const;

export type Hindrance = (typeof HINDRANCES)[keyof typeof HINDRANCES];

/** Why no text can be pasted now; null when the agent's prompt is open, empty and at rest. */
export function hindranceTo(reading: AgentReading, { isMarked }: { readonly isMarked: boolean }): Hindrance | null {
  if (reading.kind !== "prompt") return HINDRANCES[reading.kind];
  if (reading.isAtWork) return HINDRANCES.atWork;
  if (reading.text !== "") return HINDRANCES.draft;
  return isMarked ? null : HINDRANCES.unmarked;
}
