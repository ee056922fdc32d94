import type { PermissionMode, TurnStopReason } from "claw-contract";
import type { Compaction, Conversation } from "../sessions/index.ts";
import type { McpPrompt } from "./mcp/mcp-prompts.ts";
import type { McpServerState } from "./mcp/open-mcp-servers.ts";
import type { TodoList } from "./tools/todo-write.ts";
import type { AnyTool } from "./tools/tool.ts";
import type { Emit, TurnContext } from "./turn/run-turn.ts";
import type { TurnSpending } from "./turn/spending.ts";
import type { TurnProgress } from "./turn/turn-event.ts";

/** claw's own agent, ready to work in a folder. The caller that opened the agent closes it. */
export interface Agent {
  /** Model id as the provider spells it. */
  readonly model: string;
  readonly mode: PermissionMode;
  /** Current tools. The list may change when a lost MCP server comes back. */
  readonly tools: readonly AnyTool[];
  /** Prompts of MCP servers that a person can call by name. */
  readonly prompts: readonly McpPrompt[];
  /** The MCP servers with their current state. */
  readonly servers: readonly McpServerState[];
  /** Resources of MCP servers as `server:uri`. Rejects with the signal's reason. */
  listResources(signal: AbortSignal): Promise<readonly string[]>;
  /** The agent's list of planned steps. */
  readonly todos: TodoList;
  /** Which kind of credentials is used: a label, never a secret. */
  readonly apiKeySource: string;
  /** Usage and cost of all turns so far, sub-agents included. */
  readonly spending: TurnSpending;
  /** Notices for people before the first turn: settings without effect, servers that did not start. */
  readonly notices: readonly string[];
  /** Runs one turn; see `runTurn`. */
  run(
    context: TurnContext,
    progress: TurnProgress,
    watch: { readonly emit: Emit; readonly signal: AbortSignal },
  ): Promise<TurnStopReason>;
  /**
   * Summarises all but the newest messages of a conversation, with the model where possible. Resolves with undefined
   * when no message can be removed. Rejects with the signal's reason.
   */
  compact(conversation: Conversation, signal: AbortSignal): Promise<Compaction | undefined>;
  /** Ends every connection and process that the agent started. Idempotent. */
  close(): Promise<void>;
}
