import { ClawError } from "@claw/contract";
import type { AnyTool } from "../tools/tool.ts";
import type { McpConnection } from "./mcp-client.ts";
import type { McpServer, ServerProblem } from "./read-servers.ts";
import { readServers } from "./read-servers.ts";
import { nameTools } from "./tool-names.ts";

export interface McpSurroundings {
  readonly cwd: string;
  /** For the variables that settings name; servers get a few of them only. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What servers are told about this program. */
  readonly version: string;
  /** Hears, in a sentence for people, of what cannot be used; the run goes on without it. */
  readonly onProblem: (text: string) => void;
}

export interface McpServerState {
  readonly name: string;
  readonly status: "connected" | "failed" | "invalid";
  readonly error: string | null;
  readonly toolCount: number;
}

/** Servers that are open. Whoever opened them closes them. */
export interface McpServers {
  readonly tools: readonly AnyTool[];
  /** In the order of the settings, broken entries last. */
  readonly servers: readonly McpServerState[];
  /** Ends every connection and process. Never rejects. Idempotent. */
  close(): Promise<void>;
}

type Opened =
  | { readonly server: McpServer; readonly connection: McpConnection }
  | { readonly server: McpServer; readonly error: string };

const isConnected = (opened: Opened): opened is Extract<Opened, { connection: McpConnection }> =>
  "connection" in opened;

function refuse({ name, message }: ServerProblem): ClawError {
  return new ClawError("MCP_CONFIG_INVALID", `the server ${name} is required, and its settings are wrong: ${message}`, {
    operation: "read_mcp_servers",
    target: name,
  });
}

function unavailable(name: string, why: string): ClawError {
  return new ClawError("MCP_SERVER_UNAVAILABLE", `the server ${name} is required, and cannot be used: ${why}`, {
    operation: "connect_mcp_server",
    target: name,
  });
}

function stateOf(opened: Opened): McpServerState {
  const { name } = opened.server;
  return isConnected(opened)
    ? { name, status: "connected", error: null, toolCount: opened.connection.tools.length }
    : { name, status: "failed", error: opened.error, toolCount: 0 };
}

/** Names are given when all are known, so that none depends on who answered first. */
async function toolsOf(opened: readonly Opened[]): Promise<AnyTool[]> {
  const { foreignTool } = await import("./mcp-client.ts");
  const found = opened
    .filter(isConnected)
    .flatMap(({ server, connection }) =>
      connection.tools.map((listed) => ({ server: server.name, listed, run: connection.callerOf(listed) })),
    );
  const names = nameTools(found.map(({ server, listed }) => ({ server, tool: listed.name })));
  return found.map((parts, index) => foreignTool({ ...parts, name: names[index] ?? "" }));
}

async function openAll(servers: readonly McpServer[], around: McpSurroundings, signal: AbortSignal): Promise<Opened[]> {
  const { connectServer } = await import("./mcp-client.ts");
  const open = async (server: McpServer): Promise<Opened> => {
    try {
      return { server, connection: await connectServer(server, around, signal) };
    } catch (error) {
      // Whatever it is: the others must be waited for, so that they can be closed.
      return { server, error: error instanceof Error ? error.message : "unknown error" };
    }
  };
  return Promise.all(servers.map(open));
}

function report(opened: readonly Opened[], problems: readonly ServerProblem[], say: (text: string) => void): void {
  for (const { name, message } of problems) say(`The MCP server ${name} is left out: ${message}.`);
  for (const one of opened) {
    const { name } = one.server;
    if (!isConnected(one)) say(`The MCP server ${name} is left out: ${one.error}.`);
    else if (one.connection.leftOut > 0) say(`${one.connection.leftOut} tools of the MCP server ${name} are left out.`);
  }
}

const NONE: McpServers = { tools: [], servers: [], close: () => Promise.resolve() };

/**
 * Opens every server that the settings name, all at once. One that cannot be used is reported and left out. Rejects with
 * MCP_SERVER_UNAVAILABLE or MCP_CONFIG_INVALID when that one is required, or with the signal's reason; then nothing that
 * was started is left.
 */
export async function openMcpServers(
  config: Readonly<Record<string, unknown>>,
  around: McpSurroundings,
  signal: AbortSignal,
): Promise<McpServers> {
  signal.throwIfAborted();
  const { servers, problems } = readServers(config, around.env);
  const broken = problems.find(({ required }) => required);
  if (broken !== undefined) throw refuse(broken);
  const opened = servers.length === 0 ? [] : await openAll(servers, around, signal);
  const close = async (): Promise<void> => {
    await Promise.all(opened.filter(isConnected).map(({ connection }) => connection.close()));
  };
  const missing = opened.find((one) => one.server.required && !isConnected(one));
  if (signal.aborted || missing !== undefined) await close();
  signal.throwIfAborted();
  if (missing !== undefined && !isConnected(missing)) throw unavailable(missing.server.name, missing.error);
  report(opened, problems, around.onProblem);
  if (opened.length + problems.length === 0) return NONE;
  const invalid = problems.map(({ name, message }) => ({
    name,
    status: "invalid" as const,
    error: message,
    toolCount: 0,
  }));
  const tools = opened.some(isConnected) ? await toolsOf(opened) : [];
  return { tools, servers: [...opened.map(stateOf), ...invalid], close };
}
