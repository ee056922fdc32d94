import type { HarnessId, JsonObject, PermissionMode, AgentAnswer } from "claw-contract";
import type { RunUpdate, AgentRequest } from "./stream/run-update.ts";
import type { AgentSessionRecord } from "./stream/session-record.ts";
import type { StreamRules } from "./stream/stream-rules.ts";
import type { StreamState } from "./stream/stream-state.ts";

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

/** What a caller wants of an agent. */
export interface RunRequest {
  /** May be long. A long prompt goes through stdin where the agent supports stdin. */
  readonly prompt: string;
  /** A skill the prompt is for, by name. */
  readonly skill: string | null;
  /** Null is the agent's own choice. */
  readonly model: string | null;
  readonly cwd: string;
  /** The whole environment of the process, already scrubbed. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether permissions and questions are asked on stdin and stdout, where the agent can. */
  readonly dialogue: boolean;
  /** Whether credentials of an earlier login are there. */
  readonly loggedIn: boolean;
  /** A file the agent may leave its last message in, when it can. */
  readonly lastMessagePath: string | null;
  /** Program to start instead of the agent's usual program, with the arguments that precede the agent's arguments. */
  readonly program: readonly [string, ...string[]] | null;
  /** The agent's id of the conversation to resume; without an id a new conversation begins. */
  readonly resume?: string;
  /** The actions the agent may take without asking; without a mode the agent decides. */
  readonly permissionMode?: PermissionMode;
  /**
   * Whether the caller may send more text while the agent works. The agent then has to report each text it takes. Only
   * in a dialogue.
   */
  readonly live?: boolean;
  /**
   * Whether the agent should send texts in pieces while it writes, where it can. Pieces are signs of life, and preserve
   * the text of a message that is cut off.
   */
  readonly pieces?: boolean;
}

/** How an agent is started. */
export interface SpawnSpec {
  readonly argv: readonly [string, ...string[]];
  /** Text written to stdin before stdin is closed; null closes stdin at once. In a dialogue, the first lines. */
  readonly stdin: string | null;
  /** Whether stdin stays open after the `stdin` text. */
  readonly dialogue: boolean;
  /** What the result's `metadata` starts with. */
  readonly metadata: JsonObject;
  /** What the result's `diagnostics` start with. */
  readonly diagnostics: readonly string[];
}

/** Adapter for one kind of agent. Holds only the differences between agents. */
export interface Harness {
  readonly id: HarnessId;
  /**
   * Whether the agent's commands must end before the agent, because the commands clean up only while the agent lives.
   */
  readonly endsCommandsFirst?: boolean;
  /** Pure. Describes the process to start, and does not start it. */
  command(request: RunRequest): SpawnSpec;
  /** Our side of the conversation when a command is a dialogue; its first frames are in the command's stdin. */
  dialogue(request: RunRequest): Dialogue;
  /**
   * Pure but for `state`. Says what a native event means, in order; never throws, whatever the event holds. An unknown
   * one yields nothing, so a newer agent never breaks a run.
   */
  translate(native: JsonObject, state: StreamState): readonly RunUpdate[];
  /** The updates due when the stream is over: for calls and texts that never ended. Each update is returned once. */
  end(state: StreamState): readonly RunUpdate[];
  /** Whether an event already has a shape that `stream-json` prints. */
  isStreamMessage(native: JsonObject, state: StreamState): boolean;
  /** Whether an event is a piece of a text or item that follows as a whole. */
  isPiece(native: JsonObject): boolean;
  /** How this stream is kept and judged. */
  rules(state: StreamState): StreamRules;
  /**
   * Reads the agent's own record of a conversation, for facts that the stream does not tell. Called after the agent has
   * ended. Never rejects. Absent for an agent whose stream tells all facts.
   */
  recall?(sessionId: string, env: RunRequest["env"]): Promise<AgentSessionRecord>;
}
