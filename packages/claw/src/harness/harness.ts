import type { HarnessId, JsonObject, PermissionMode } from "@claw/contract";
import type { Dialogue } from "./dialogue.ts";
import type { RunUpdate } from "./run-update.ts";
import type { SessionRecord } from "./session-record.ts";
import type { StreamRules } from "./stream-rules.ts";
import type { StreamState } from "./stream-state.ts";

/** What a caller wants of an agent. */
export interface RunRequest {
  /** May be long; where the agent can, a long one goes through stdin. */
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
  /** Program to start in place of the agent's usual one, with what it takes before the agent's own arguments. */
  readonly program: readonly [string, ...string[]] | null;
  /** Conversation to go on with, by the agent's own id; a new one without it. */
  readonly resume?: string;
  /** What it may do without asking; its own choice without it. */
  readonly permissionMode?: PermissionMode;
  /** Whether more may be said to it while it works, so that it has to tell what it took. Only in a dialogue. */
  readonly live?: boolean;
  /** Whether it is to tell texts in pieces while it writes them, where it can: signs of life, and what a cut leaves. */
  readonly pieces?: boolean;
}

/** How an agent is started. */
export interface SpawnSpec {
  readonly argv: readonly [string, ...string[]];
  /** What is written to stdin before it is closed; null closes it at once. In a dialogue, its first lines. */
  readonly stdin: string | null;
  /** Whether stdin stays open after that. */
  readonly dialogue: boolean;
  /** What the result's `metadata` starts with. */
  readonly metadata: JsonObject;
  /** What the result's `diagnostics` start with. */
  readonly diagnostics: readonly string[];
}

/** What differs between agents, and nothing else. */
export interface Harness {
  readonly id: HarnessId;
  /** Name of its program, as it is looked for; null for one that is part of claw. */
  readonly program: string | null;
  /** Whether its commands have to end before it does, because they tidy up only while it lives. */
  readonly endsCommandsFirst?: boolean;
  /** Pure. Says what to start; starts nothing. */
  command(request: RunRequest): SpawnSpec;
  /** Our side of the conversation when a command is a dialogue; its first frames are in the command's stdin. */
  dialogue(request: RunRequest): Dialogue;
  /**
   * Pure but for `state`. Says what a native event means, in order; never throws, whatever the event holds. An unknown
   * one yields nothing, so a newer agent never breaks a run.
   */
  translate(native: JsonObject, state: StreamState): readonly RunUpdate[];
  /** What is left to say when the stream is over: calls and texts that never ended. Said once. */
  end(state: StreamState): readonly RunUpdate[];
  /** Whether an event already has a shape that `stream-json` prints. */
  isStreamMessage(native: JsonObject, state: StreamState): boolean;
  /** Whether an event is a piece of something whose whole follows. */
  isPiece(native: JsonObject): boolean;
  /** How this stream is kept and judged. */
  rules(state: StreamState): StreamRules;
  /**
   * Reads what the agent itself wrote down of a conversation, for what its stream does not tell. Asked when the agent
   * has ended. Never rejects. Absent for an agent whose stream tells everything.
   */
  recall?(sessionId: string, env: RunRequest["env"]): Promise<SessionRecord>;
}
