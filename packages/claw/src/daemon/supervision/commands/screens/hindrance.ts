import type { AgentReading } from "./read-agent-screen.ts";

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
