import type { JsonObject } from "claw-contract";
import type { Caller } from "./caller.ts";
import type { McpToolCall, ToolDefinition, ToolQuestion, McpToolResult } from "./tool.ts";

/** The part of a call that does not belong to tools. */
export type McpRequestCall = Omit<McpToolCall, "inputResponses" | "requestState">;

export interface ResourceFace {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

export interface TemplateFace extends Omit<ResourceFace, "uri"> {
  readonly uriTemplate: string;
}

/** One part of a resource: `text`, or `blob` in base64. */
export interface ResourceContent {
  readonly uri: string;
  readonly mimeType?: string;
  readonly text?: string;
  readonly blob?: string;
}

export interface ResourceTable {
  list(call: McpRequestCall, cursor: string | undefined): Promise<McpPage<"resources", ResourceFace>>;
  readonly templates: readonly TemplateFace[];
  /** Resolves with undefined for a resource that does not exist. */
  read(uri: string, call: McpRequestCall): Promise<readonly ResourceContent[] | undefined>;
  /**
   * Calls `changed` whenever the resource may have changed, until the returned function is called. Starts at once and
   * never throws: a resource that cannot be watched never changes.
   */
  watch?(uri: string, caller: Caller, changed: () => void): () => void;
}

export type McpPage<Key extends string, Item> = { readonly [K in Key]: readonly Item[] } & {
  readonly nextCursor?: string;
};

export interface PromptArgument {
  readonly name: string;
  readonly description: string;
  readonly required?: boolean;
}

export interface PromptDefinition {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly arguments: readonly PromptArgument[];
  /** The messages of the prompt, as the protocol writes them, or what the prompt has to ask first. */
  readonly make: (
    values: Readonly<Record<string, string>>,
    call: McpToolCall,
  ) => Promise<readonly JsonObject[] | ToolQuestion>;
}

/** A handler of a further method, such as `tasks/get`. An SDK `ProtocolError` becomes the error of the answer. */
export type MethodHandler = (params: JsonObject, call: McpRequestCall) => Promise<JsonObject>;

/** Tools, resources and prompts of a server. The layer below adds none. */
export interface McpTables {
  readonly server: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions: string;
  /** In the order of `tools/list`. May depend on the caller's role and on nothing else. */
  readonly tools: (caller: Caller) => Promise<readonly ToolDefinition[]>;
  /** The result for an error that a tool threw. */
  readonly failure: (error: unknown, tool: ToolDefinition) => McpToolResult;
  readonly resources?: ResourceTable;
  readonly prompts?: readonly PromptDefinition[];
  /** Further methods by name. */
  readonly methods?: Readonly<Record<string, MethodHandler>>;
  /** Further capabilities, such as `extensions`. Those of tools, resources and prompts follow from the tables. */
  readonly capabilities?: JsonObject;
}
