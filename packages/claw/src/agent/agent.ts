import type { TurnStopReason } from "@claw/contract";
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
  readonly tools: readonly AnyTool[];
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
  /** Ends what it started. Idempotent. */
  close(): Promise<void>;
}
