import type * as z from "zod";
import type { PermissionMode } from "claw-contract";
import type { Need } from "../permissions/permission.ts";
import type { TurnEvent } from "../turn/turn-event.ts";

/** One call of a tool. */
export interface ToolCall {
  /** The model's id of the call. */
  readonly id: string;
  /** Reports at once the progress of a long call, as an event of the turn. */
  readonly progress: (text: string) => void;
  /** Passes on the events of a turn that the call itself runs, as a sub-agent does. */
  readonly nested?: (event: TurnEvent) => void;
}

export interface ToolOutput {
  /** The text for the model. The tool itself limits the length, and says where the rest is. */
  readonly output: string;
  readonly isError: boolean;
  /** How the call ended, in a few words for people: `exit code 0`. */
  readonly summary?: string;
}

/** The change that a call would make to a file, for the person who decides. */
export interface Preview {
  readonly path: string;
  /** Unified diff. */
  readonly diff: string;
}

/**
 * A tool that the model may call. `I` is the type that the schema yields; a call whose input does not fit the schema
 * never reaches the tool.
 */
export interface Tool<I = never> {
  /** snake_case; `mcp__server__tool` for tools of MCP servers. */
  readonly name: string;
  /** Other names that models and people use for the tool, in any case. */
  readonly aliases: readonly string[];
  /** The purpose of the tool, in one sentence. */
  readonly responsibility: string;
  /** The description that the model gets. */
  readonly description: string;
  /** The page and section about the tool, from the root of the installed package. */
  readonly sourceHint: string;
  readonly input: z.ZodType<I>;
  /** JSON Schema in place of the one `input` yields, for tools that bring their own. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** The field a call in plain text fills. */
  readonly mainField: string;
  /** Whether the tool only reads: several calls of such tools may run at once. */
  readonly readOnly: boolean;
  /**
   * The weakest mode in which the tool is useful. Default: `read-only` when `readOnly` is true, else `workspace-write`.
   */
  readonly requires?: PermissionMode;
  /**
   * The files, the command or the address that a call would touch. Throws ClawError when the call is already known to
   * fail.
   */
  need(input: I): Need;
  /** The text of a call for rules to match: a path, a command, an address. */
  subject(input: I): string;
  /** The change that a call would make to a file; null when the change cannot be shown. */
  preview?(input: I): Promise<Preview | null>;
  /**
   * Does the work. A failure that the model can correct is an output with `isError`. When the signal is aborted,
   * rejects with the signal's reason, after every process that the call started has ended.
   */
  run(input: I, call: ToolCall, signal: AbortSignal): Promise<ToolOutput>;
}

/** Any tool; only the tool itself knows the type of its input. */
export type AnyTool = Tool;

/** Ties the types of a tool's schema and its functions together. */
export function defineTool<I>(tool: Tool<I>): AnyTool {
  return tool as unknown as AnyTool;
}
