import type { AgentSession } from "./agent-session.ts";
import type { HookFact } from "./hook-fact.ts";
import { REPORTED_CHARS } from "./reported-chars.ts";

type ThreadEnded = Extract<HookFact, { kind: "thread-ended" }>;

const OTHER: HookFact = { kind: "active", text: "another thread of its agent ended a turn" };

/** Whether a prompt that was passed on is the beginning of the one that the agent was started with. */
const isSamePrompt = (prompt: string, opening: string): boolean =>
  prompt.trim() === opening.slice(0, REPORTED_CHARS).trim() && prompt.trim() !== "";

/**
 * What the end of a turn in a thread of Codex says of the conversation that the worker looks after. Codex finds a title
 * in a thread besides, and sub-agents have threads too; all of them report in the same words. The conversation is known by
 * its id, and before the id is known by the prompt that it was started with. Pure.
 */
export function readThreadEnd(fact: ThreadEnded, session: AgentSession, opening: string): readonly HookFact[] {
  const { id, prompts, text } = fact;
  const isOwn = session.id === null ? prompts.some((prompt) => isSamePrompt(prompt, opening)) : session.id === id;
  if (!isOwn) return [OTHER];
  const begun: readonly HookFact[] = session.turn === "running" ? [] : [{ kind: "turn-started" }];
  const known: readonly HookFact[] = id === "" ? [] : [{ kind: "session", id, transcript: null }];
  return [...known, ...begun, { kind: "turn-ended", text, limited: false }];
}
