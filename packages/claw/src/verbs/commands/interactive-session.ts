import type { McpServerState, ModelUsage, PermissionMode } from "../../agent/index.ts";
import type { Compaction } from "../../sessions/index.ts";

/** What a session has used and, where the prices of its models are known, what that costs. */
export interface SessionCost {
  readonly model: string;
  readonly usage: ModelUsage;
  /** Null when no price is known. */
  readonly costUsd: number | null;
}

export interface TodoItem {
  readonly content: string;
  readonly status: "pending" | "in_progress" | "completed";
}

/** The session a person types in, as commands see and change it. Between turns only. Methods throw ClawError. */
export interface InteractiveSession {
  /** Id of the session that is continued; another one after `clear` and `resume`. */
  id(): string;
  model(): string;
  /** Uses another model from now on. Resolves when it can be asked; otherwise throws, and the one before stays. */
  setModel(model: string): Promise<void>;
  permissionMode(): PermissionMode;
  /** Judges by another mode from now on. */
  setPermissionMode(mode: PermissionMode): Promise<void>;
  cost(): SessionCost;
  /** Replaces older messages by a summary. Resolves with what was done; undefined when there was nothing to gain. */
  compact(signal: AbortSignal): Promise<Compaction | undefined>;
  /** Goes on in a new, empty session. What was said stays stored under its id. */
  clear(signal: AbortSignal): Promise<void>;
  /**
   * Goes on in a stored session: an id, a path or `latest`. Resolves with how many messages it holds and whether the user
   * made it here.
   */
  resume(ref: string, signal: AbortSignal): Promise<{ readonly messages: number; readonly isOwn: boolean }>;
  /** The MCP servers of the agent, and how they are now. */
  servers(): readonly McpServerState[];
  /** What the person has asked for in this session, the oldest first. */
  prompts(): readonly string[];
  /** What the agent has noted as to be done. */
  todos(): readonly TodoItem[];
  /** Begins a turn with this prompt once the command is over, as if it had been typed. */
  submit(prompt: string): void;
  /** Ends the session once the command is over. */
  exit(): void;
}
