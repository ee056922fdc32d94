import type { PermissionMode } from "claw-contract";
import type { McpServerState, ModelUsage } from "../../../agent/index.ts";
import type { Compaction } from "../../../sessions/index.ts";

/** The tokens that a session has used, and their cost where the prices of the models are known. */
export interface SessionCost {
  readonly model: string;
  readonly usage: ModelUsage;
  /** Null when no price is known. */
  readonly costUsd: number | null;
}

export interface SessionTodo {
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed";
}

/** The session a person types in, as slash commands see and change it. Between turns only. Methods throw ClawError. */
export interface InteractiveSession {
  /** Id of the session that is continued; another one after `clear` and `resume`. */
  id(): string;
  model(): string;
  /**
   * Uses another model from now on. Resolves when the model can be asked. Otherwise throws, and the session keeps its
   * model.
   */
  setModel(model: string): Promise<void>;
  permissionMode(): PermissionMode;
  /** Judges by another mode from now on. */
  setPermissionMode(mode: PermissionMode): Promise<void>;
  cost(): SessionCost;
  /** Replaces older messages by a summary. Resolves with a report; undefined when there was nothing to compact. */
  compact(signal: AbortSignal): Promise<Compaction | undefined>;
  /** Goes on in a new, empty session. The earlier session stays stored under its id. */
  clear(signal: AbortSignal): Promise<void>;
  /**
   * Goes on in a stored session: an id, a path or `latest`. Resolves with how many messages it holds and whether the user
   * made it here.
   */
  resume(ref: string, signal: AbortSignal): Promise<{ readonly messages: number; readonly isOwn: boolean }>;
  /** The MCP servers of the agent, and the current state of each. */
  servers(): readonly McpServerState[];
  /** The person's prompts in this session, the oldest first. */
  prompts(): readonly string[];
  /** The agent's to-do list. */
  todos(): readonly SessionTodo[];
  /** Begins a turn with this prompt once the command is over, as if it had been typed. */
  submit(prompt: string): void;
  /** Ends the session once the command is over. */
  exit(): void;
}
