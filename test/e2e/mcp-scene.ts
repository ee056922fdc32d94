import { readFileSync } from "node:fs";
import type { CallToolResult, Tool } from "@modelcontextprotocol/client";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import { expect, onTestFinished } from "vitest";
import { clawsFile, startDaemon } from "./daemon-process.ts";
import { textOf } from "./provocations.ts";
import { BINARY } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { cleanEnvironment, createWorkspace, secretFile } from "./workspace.ts";

export const ERAS = ["2025-06-18", "2025-11-25", "2026-07-28"] as const;
export type EraVersion = (typeof ERAS)[number];

const MODERN: EraVersion = "2026-07-28";

/** A version of the protocol, over the standard streams of `claw mcp serve` or over HTTP to the daemon. */
export interface McpFace {
  readonly version: EraVersion;
  readonly over: "stdio" | "http";
}

export const FACES: readonly McpFace[] = [
  ...ERAS.map((version) => ({ version, over: "stdio" }) as const),
  { version: "2025-11-25", over: "http" },
  { version: "2026-07-28", over: "http" },
];

/** A workspace whose daemon can be reached by the face. */
export const workspaceFor = ({ over }: McpFace): Workspace =>
  createWorkspace(over === "http" ? ["--http", "127.0.0.1:0"] : []);

export interface McpOptions extends Partial<McpFace> {
  /** Over HTTP, in place of the token of the workspace's user. */
  readonly token?: string;
  readonly args?: readonly string[];
  /** Over HTTP, in place of the usual address. */
  readonly path?: string;
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
  readonly call: (name: string, input?: Readonly<Record<string, unknown>>) => Promise<ToolData>;
  close(): Promise<void>;
}

/** Reads the text of `claws_drain_events`: one line about the answer, and a line for each event. */
function readDrained(text: string): ToolData {
  const [head = "", ...lines] = text.split("\n");
  const [, total, , dropped, , cursor] = head.split(" ");
  const events = lines.map((line) => {
    const [, sequence, time = "", from, topic, payload] = /^(\d+) (\S+) (\S+) (\S+)(?: ([^]*))?$/.exec(line) ?? [];
    const place = { absoluteIndex: Number(sequence) - 1, sequence: Number(sequence), sentAt: Date.parse(time) };
    return { ...place, topic, from, ...(payload === undefined ? {} : { payload: JSON.parse(payload) as unknown }) };
  });
  return { events, total_received: Number(total), dropped: Number(dropped), subscribe_cursor: cursor };
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
  const read = tool?.name === "claws_drain_events" && isError !== true ? readDrained : JSON.parse;
  expect(text?.type === "text" && (read(text.text) as unknown)).toEqual(data);
  return data;
}

const stdioTransport = (workspace: Workspace, { args = [], env }: McpOptions): StdioClientTransport =>
  new StdioClientTransport({
    command: process.execPath,
    args: [BINARY, "mcp", "serve", ...args],
    cwd: workspace.cwd,
    env: cleanEnvironment(workspace, env) as Record<string, string>,
    stderr: "inherit",
  });

/** Where the daemon's MCP server is, and the token that it takes. Starts the daemon when none runs. */
export async function httpDoor(workspace: Workspace): Promise<{ url: URL; token: string }> {
  const record = textOf(clawsFile(workspace, "daemon.json"));
  const { http } =
    record === undefined ? await startDaemon(workspace) : (JSON.parse(record) as { http: string | null });
  const token = readFileSync(secretFile(workspace, "orchestrator.token"), "utf8").trim();
  return { url: new URL("/mcp", http ?? ""), token };
}

async function httpTransport(workspace: Workspace, given: McpOptions): Promise<StreamableHTTPClientTransport> {
  const { url, token } = await httpDoor(workspace);
  return new StreamableHTTPClientTransport(new URL(given.path ?? url.pathname, url), {
    requestInit: { headers: { authorization: `Bearer ${given.token ?? token}` } },
  });
}

/** Connects a client of the SDK to the MCP server of a workspace. Both end with the test. */
export async function connectMcp(workspace: Workspace, options: McpOptions = {}): Promise<McpScene> {
  const { version = MODERN, over = "stdio" } = options;
  const transport = over === "http" ? await httpTransport(workspace, options) : stdioTransport(workspace, options);
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
    pid: ("pid" in transport ? transport.pid : null) ?? 0,
    call: async (name, input = {}) => {
      const result = await client.callTool({ name, arguments: input });
      return checkResult(
        tools.find((tool) => tool.name === name),
        result,
      );
    },
    close: () => client.close(),
  };
}
