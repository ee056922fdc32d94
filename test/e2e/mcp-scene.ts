import type { CallToolResult, Tool } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { expect, onTestFinished } from "vitest";
import { BINARY } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { cleanEnvironment } from "./workspace.ts";

export const ERAS = ["2025-06-18", "2025-11-25", "2026-07-28"] as const;
export type EraVersion = (typeof ERAS)[number];

const MODERN: EraVersion = "2026-07-28";

export interface McpOptions {
  readonly version?: EraVersion;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/** Data of a tool, or the error that it answered with. */
export type ToolData = Readonly<Record<string, unknown>> & {
  readonly error?: { readonly code: string; readonly hint: string; readonly retryable: boolean };
};

export interface McpScene {
  readonly client: Client;
  readonly tools: readonly Tool[];
  readonly pid: number;
  /** Calls a tool. Checks the result against the tool's output schema, and that the text says the same. */
  call(name: string, input?: Readonly<Record<string, unknown>>): Promise<ToolData>;
  close(): Promise<void>;
}

type Schema = Parameters<AjvJsonSchemaValidator["getValidator"]>[0];

const validator = new AjvJsonSchemaValidator();

/** What holds for every result of every tool. */
function checkResult(tool: Tool | undefined, result: CallToolResult): ToolData {
  const { structuredContent, content, isError } = result;
  expect(structuredContent).toBeDefined();
  const verdict = validator.getValidator((tool?.outputSchema ?? {}) as Schema)(structuredContent);
  expect(verdict.errorMessage).toBeUndefined();
  const data = structuredContent as ToolData;
  expect(isError === true).toBe(data.error !== undefined);
  const [text] = content;
  expect(text?.type === "text" && JSON.parse(text.text)).toEqual(data);
  return data;
}

/** Starts `claw mcp serve` in a workspace and connects a client of the SDK to it. The process ends with the test. */
export async function connectMcp(workspace: Workspace, options: McpOptions = {}): Promise<McpScene> {
  const { version = MODERN, args = [], env } = options;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BINARY, "mcp", "serve", ...args],
    cwd: workspace.cwd,
    env: cleanEnvironment(workspace, env) as Record<string, string>,
    stderr: "inherit",
  });
  const client = new Client(
    { name: "scene", version: "1" },
    version === MODERN ? { versionNegotiation: { mode: { pin: MODERN } } } : { supportedProtocolVersions: [version] },
  );
  onTestFinished(() => client.close());
  await client.connect(transport);
  expect(client.getNegotiatedProtocolVersion()).toBe(version);
  const { tools } = await client.listTools();
  return {
    client,
    tools,
    pid: transport.pid ?? 0,
    call: async (name, input = {}) => {
      const result = await client.callTool({ name, arguments: input });
      return checkResult(
        tools.find((tool) => tool.name === name),
        result as CallToolResult,
      );
    },
    close: () => client.close(),
  };
}
