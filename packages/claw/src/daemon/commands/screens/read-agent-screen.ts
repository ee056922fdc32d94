import type { HarnessId } from "@claw/contract";
import type { TerminalScreen } from "../../../bus/index.ts";
import { bare } from "../composer.ts";
import { AGENT_PROMPTS } from "./agent-prompts.ts";
import { isAtStart, promptText } from "./prompt-rows.ts";

/** What an agent's screen shows, as far as it matters to who types. */
export type AgentReading =
  /** The agent's prompt is open. `text` is what can be read in it, see `legible`. */
  | { readonly kind: "prompt"; readonly text: string; readonly isAtWork: boolean }
  /** A question or a choice is open: keys would answer it. */
  | { readonly kind: "question" }
  | { readonly kind: "unknown" };

/** A text as two programs that draw it differently agree on: without blanks, frames, accents and what has no width. */
const legible = (text: string): string => bare(text.normalize("NFD")).replaceAll(/[\p{Cf}\p{Mn}]/gu, "");

/** What agents show with their questions: a choice that is marked, or which keys answer. */
const QUESTION =
  /^\s*[\u276f\u203a] (?:\u2714 |\d+\. )|\b(?:esc|Esc) (?:to )?(?:cancel|quit|skip|back|confirm|close)\b|^Allow it\? y once|\benter(?:\/\w+)? (?:continue|select|confirm)\b|\bEnter to \w+/;

/**
 * Reads an agent's screen. A prompt is open only when its own rows are found around the cursor, as the agent draws
 * them: everything that is not known is not typed into.
 */
export function readAgentScreen(harness: HarnessId, screen: TerminalScreen): AgentReading {
  const { find, placeholder, isAtWork } = AGENT_PROMPTS[harness];
  const rows = find(screen);
  if (rows === undefined) {
    return { kind: screen.lines.some((line) => QUESTION.test(line)) ? "question" : "unknown" };
  }
  const written = promptText(screen, rows);
  const isEmpty = isAtStart(screen, rows) && placeholder.test(written.trim());
  return { kind: "prompt", text: isEmpty ? "" : legible(written), isAtWork: isAtWork(screen, rows) };
}

/** What agents show instead of a paste that is long. */
const MARK = /^\[Pasted[^\]]*\]$/i;

/** Of a text that is longer than the prompt's rows only the end is seen: so much of it has to be. */
const TELLING_CHARS = 12;

/** Whether a prompt that was empty before a paste holds that paste, and nothing else. */
export function holdsPaste(reading: AgentReading, pasted: string): boolean {
  if (reading.kind !== "prompt") return false;
  const [seen, whole] = [reading.text, legible(pasted)];
  if (whole === "") return false;
  if (seen === whole || MARK.test(seen)) return true;
  return seen.length >= TELLING_CHARS && whole.endsWith(seen);
}
