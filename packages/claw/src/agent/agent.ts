import type { TurnStopReason } from "@claw/contract";
import type { Compaction, Conversation } from "../sessions/index.ts";
import type { McpPrompt } from "./mcp/mcp-prompts.ts";
import type { McpServerState } from "./mcp/open-mcp-servers.ts";
import type { PermissionMode } from "./permissions/permission.ts";
import type { TodoList } from "./tools/todo-list.ts";
import type { AnyTool } from "./tools/tool.ts";
import type { Emit, TurnContext } from "./turn/run-turn.ts";
import type { Spending } from "./turn/spending.ts";
import type { TurnProgress } from "./turn/turn-result.ts";

/** Our own agent, ready to work in a folder. Whoever opened it closes it. */
export interface Agent {
  /** As its provider knows it. */
  readonly model: string;
  readonly mode: PermissionMode;
  /** The tools there are now: an MCP server that was lost and came back may have others. */
  readonly tools: readonly AnyTool[];
  /** Prompts of MCP servers that a person can order. */
  readonly prompts: readonly McpPrompt[];
  /** The MCP servers, and how they are now. */
  readonly servers: readonly McpServerState[];
  /** Resources of MCP servers as `server:uri`. Rejects with the signal's reason. */
  listResources(signal: AbortSignal): Promise<readonly string[]>;
  /** What it has set out to do. */
  readonly todos: TodoList;
  /** Which kind of credentials is used: a label, never a secret. */
  readonly apiKeySource: string;
  /** What its runs have used so far. */
  readonly spending: Spending;
  /** What people should know before the first turn: settings without effect, servers that did not start. */
  readonly notices: readonly string[];
  /** Runs one turn; see `runTurn`. */
  run(
    context: TurnContext,
    progress: TurnProgress,
    watch: { readonly emit: Emit; readonly signal: AbortSignal },
  ): Promise<TurnStopReason>;
  /**
   * Summarises all but the newest messages of a conversation, with the model where that is possible. Resolves with
   * undefined when there is nothing to gain. Rejects with the signal's reason.
   */
  compact(conversation: Conversation, signal: AbortSignal): Promise<Compaction | undefined>;
  /** Ends what it started. Idempotent. */
  close(): Promise<void>;
}
