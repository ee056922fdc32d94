import type * as z from "zod";
import type { Need, PermissionMode } from "../permissions/permission.ts";
import type { TurnEvent } from "../turn/turn-event.ts";

/** One call of a tool. */
export interface ToolCall {
  /** The model's id of the call. */
  readonly id: string;
  /** Says at once what a long call is doing, for whoever watches. */
  readonly progress: (text: string) => void;
  /** Passes on what happens in a turn that the call runs itself. */
  readonly nested?: (event: TurnEvent) => void;
}

export interface ToolOutput {
  /** What the model reads; bounded by the tool itself, which says where the rest is. */
  readonly output: string;
  readonly isError: boolean;
  /** How it ended, in a few words for people: `exit code 0`. */
  readonly summary?: string;
}

/** What a call would do to a file, for a person who is to allow it. */
export interface Preview {
  readonly path: string;
  /** Unified diff. */
  readonly diff: string;
}

/**
 * Something the model may call. `I` is what its schema yields; a call whose input does not fit the schema never reaches
 * the tool.
 */
export interface Tool<I = never> {
  /** snake_case; `mcp__server__tool` for tools of MCP servers. */
  readonly name: string;
  /** Other names models and people use for it, in any case. */
  readonly aliases: readonly string[];
  /** One sentence: what it is for. */
  readonly responsibility: string;
  /** What the model is told about it. */
  readonly description: string;
  /** Where it is written, from the root of the repository. */
  readonly sourceHint: string;
  readonly input: z.ZodType<I>;
  /** JSON Schema in place of the one `input` yields, for tools that bring their own. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** The field a call in plain text fills. */
  readonly mainField: string;
  /** Whether it changes nothing, so that several may run at once. */
  readonly readOnly: boolean;
  /** The weakest mode in which it is of use; as `readOnly` suggests when it is not said. */
  readonly requires?: PermissionMode;
  /** What a call would touch. Throws ClawError when it can be told already that it cannot work. */
  need(input: I): Need;
  /** What rules match against. */
  subject(input: I): string;
  /** What a call would change, where that can be shown. Null when it cannot. */
  preview?(input: I): Promise<Preview | null>;
  /**
   * Does the work. What goes wrong in a way the model can mend is an output with `isError`; rejects with the signal's
   * reason when that is aborted, after everything it started has ended.
   */
  run(input: I, call: ToolCall, signal: AbortSignal): Promise<ToolOutput>;
}

/** Any tool, where its input is only known to itself. */
export type AnyTool = Tool;

/** Ties the types of a tool's schema and its functions together. */
export function defineTool<I>(tool: Tool<I>): AnyTool {
  return tool as unknown as AnyTool;
}
