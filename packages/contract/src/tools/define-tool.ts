import type * as z from "zod";

/** Hints by which a client decides whether it asks a person first. */
export interface ToolEffect {
  /** Changes nothing. */
  readonly reads?: true;
  /** Ends or undoes work. */
  readonly destroys?: true;
  /** Directs workers: only an orchestrator sees the tool. */
  readonly leads?: true;
  /** A second equal call changes nothing more. */
  readonly repeatable?: true;
}

/** A tool of the MCP server. Its JSON Schemas and its place in `tools/list` derive from the declaration. */
export interface ToolContract<I extends z.ZodObject = z.ZodObject, O extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: I;
  readonly output: O;
  readonly effect: ToolEffect;
}

/** Declares a tool. */
export const defineTool = <I extends z.ZodObject, O extends z.ZodObject>(
  tool: ToolContract<I, O>,
): ToolContract<I, O> => tool;
