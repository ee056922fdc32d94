import { LIMITS } from "claw-contract";
import type { HookFact } from "./hook-fact.ts";

/** The state of an agent in a terminal. A restarted worker continues from this state. */
export interface AgentSession {
  /** The agent's own id of the conversation. */
  readonly id: string | null;
  readonly transcript: string | null;
  readonly turn: "none" | "running" | "ended";
  /** Why the agent waits for a person; null when it does not wait. */
  readonly waits: string | null;
  /** Number of finished turns. */
  readonly turns: number;
  readonly tools: number;
  /** The last text of the agent. */
  readonly lastText: string | null;
  /** The text last reported because the screen shows it; null when a report of the agent has replaced it. */
  readonly shown: string | null;
}

export const NEW_SESSION: AgentSession = {
  id: null,
  transcript: null,
  turn: "none",
  waits: null,
  turns: 0,
  tools: 0,
  lastText: null,
  shown: null,
};

export const PROMPT_WAITS = "its prompt waits";

/** Applies a reported fact to a session. Pure. */
export function reduceSession(session: AgentSession, fact: HookFact): AgentSession {
  switch (fact.kind) {
    case "session":
      return { ...session, id: fact.id, transcript: fact.transcript ?? session.transcript };
    case "turn-started":
      return { ...session, turn: "running", waits: null, shown: null };
    case "tool-started":
      return { ...session, turn: "running", waits: null, shown: null, tools: session.tools + 1 };
    case "tool-ended":
      return { ...session, turn: "running", waits: null, shown: null };
    case "waits":
      return { ...session, waits: fact.text || PROMPT_WAITS, shown: null };
    case "question":
      return { ...session, waits: `${fact.tool} needs permission`, shown: null };
    case "turn-ended": {
      const lastText = fact.text?.slice(0, LIMITS.workerOutputChars) ?? session.lastText;
      return { ...session, turn: "ended", waits: PROMPT_WAITS, shown: null, turns: session.turns + 1, lastText };
    }
    case "thread-ended":
    case "permission-mode":
    case "active":
      return session;
  }
}
