import { LIMITS } from "@claw/contract";
import type { HookFact } from "./hook-fact.ts";

/** What is known of an agent in a terminal. A worker that is started anew goes on from here. */
export interface AgentSession {
  /** Its conversation, by its own id. */
  readonly id: string | null;
  readonly transcript: string | null;
  readonly turn: "none" | "running" | "ended";
  /** What it waits for a person with; null when it does not. */
  readonly waits: string | null;
  /** Turns that came to their end. */
  readonly turns: number;
  readonly tools: number;
  /** The last text of the agent. */
  readonly lastText: string | null;
  /** What was told of it because its screen shows it, and nothing contradicted since; null when its reports say all. */
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

/** What a session is after something was reported of it. Pure. */
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
