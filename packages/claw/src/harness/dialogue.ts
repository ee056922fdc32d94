import type { AgentAnswer, JsonObject } from "claw-contract";
import type { AgentRequest } from "./stream/run-update.ts";

/** A frame to the agent: one line of JSON on its stdin. */
export type DialogueFrame = JsonObject;

/** Report about a text that was sent to an agent while the agent worked. */
export interface SaidText {
  readonly id: string;
  /**
   * `read`: the agent has the text, and the text waits. `taken`: the text is in the conversation. `refused`: the agent
   * rejects the text.
   */
  readonly fate: "read" | "taken" | "refused";
}

export const NOTHING_SAID: readonly SaidText[] = [];

/**
 * claw's side of a conversation with an agent. Pure except for its memory of the conversation. Builds frames; the
 * caller sends the frames.
 */
export interface Dialogue {
  /**
   * The frames to send in reaction to an event of the agent, in order. Answers to requests come from `answer` instead.
   */
  heard(native: JsonObject): readonly DialogueFrame[];
  /** The frames that answer a request, in order. An answer that lacks a field the agent needs becomes a denial. */
  answer(request: AgentRequest, answer: AgentAnswer): readonly DialogueFrame[];
  /** Frames that send another text to the agent; null when the agent cannot take text now. `id` is a UUID. */
  say(text: string, id: string): readonly DialogueFrame[] | null;
  /** Reports about sent texts, found in the event. */
  heardOf(native: JsonObject): readonly SaidText[];
  /** Whether the agent says with this event that the conversation cannot begin. */
  refused(native: JsonObject): boolean;
  /** The id of a request that the agent no longer wants answered, when this event says so. */
  withdrawn(native: JsonObject): string | number | null;
}

/** Frames as the agent reads them. */
export const toLines = (frames: readonly DialogueFrame[]): string =>
  frames.map((frame) => `${JSON.stringify(frame)}\n`).join("");
