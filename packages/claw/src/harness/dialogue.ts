import type { AgentAnswer, JsonObject } from "@claw/contract";
import type { AgentRequest } from "./run-update.ts";

/** A frame to the agent: one line of JSON on its stdin. */
export type Frame = JsonObject;

/** What became of a text that was said to an agent while it worked. */
export interface SaidText {
  readonly id: string;
  /** Read: it is with the agent, and waits there. Taken: it is in the conversation. Refused: the agent will not have it. */
  readonly fate: "read" | "taken" | "refused";
}

export const NOTHING_SAID: readonly SaidText[] = [];

/** One side of a conversation with an agent. Pure but for what it remembers; sends nothing itself. */
export interface Dialogue {
  /** What to send now that this was heard, in order; answers to requests are not among it. */
  heard(native: JsonObject): readonly Frame[];
  /** The frames that answer a request, in order. Whatever an answer lacks that the agent needs makes it a denial. */
  answer(request: AgentRequest, answer: AgentAnswer): readonly Frame[];
  /** Frames that say something more to the agent; null when it cannot be told now. `id` is a UUID. */
  say(text: string, id: string): readonly Frame[] | null;
  /** What became of what was said, as far as this event tells. */
  heardOf(native: JsonObject): readonly SaidText[];
  /** Whether this event says that the conversation cannot begin. */
  refused(native: JsonObject): boolean;
  /** The id of a request that the agent no longer wants answered, when this event says so. */
  withdrawn(native: JsonObject): string | number | null;
}

/** Frames as the agent reads them. */
export const toLines = (frames: readonly Frame[]): string =>
  frames.map((frame) => `${JSON.stringify(frame)}\n`).join("");
