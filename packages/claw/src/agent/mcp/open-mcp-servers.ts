import { ClawError } from "claw-contract";
import type { AnyTool, ToolOutput } from "../tools/tool.ts";
import type { CallTool, ListedTool } from "./foreign-tool.ts";
import type * as McpClient from "./mcp-client.ts";
import type { McpConnection } from "./mcp-client.ts";
import type { McpLink } from "./mcp-link.ts";
import { createMcpLink } from "./mcp-link.ts";
import type { McpPrompt } from "./mcp-prompts.ts";
import { createPrompts } from "./mcp-prompts.ts";
import type { McpServer, ServerProblem } from "./read-servers.ts";
import { readServers } from "./read-servers.ts";
import { createResourceTools } from "./resource-tools.ts";
import { nameTools } from "./tool-names.ts";

export interface McpSurroundings {
  readonly cwd: string;
  /** The environment, for variables that the settings name. Servers get only a few variables of the environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Version of claw, sent to every server. */
  readonly version: string;
  /** Gets a sentence for people about each server that is left out, and about left-out tools. The run goes on. */
  readonly onProblem: (text: string) => void;
}

export interface McpServerState {
  readonly name: string;
  readonly status: "connected" | "lost" | "failed" | "invalid";
  /** Why the server cannot be used; null when the server works. The next request reaches a lost server again. */
  readonly error: string | null;
  readonly toolCount: number;
  readonly promptCount: number;
  readonly hasResources: boolean;
}

/** The open MCP servers of an agent. The caller of `openMcpServers` closes the servers. */
export interface McpServers {
  /** Current tools. The list may change when a lost server comes back. */
  readonly tools: readonly AnyTool[];
  readonly prompts: readonly McpPrompt[];
  /** In the order of the settings, broken entries last. */
  readonly servers: readonly McpServerState[];
  /**
   * Addresses of all resources as `server:uri`. Leaves out servers that do not answer. Rejects with the signal's
   * reason.
   */
  listResources(signal: AbortSignal): Promise<readonly string[]>;
  /** Ends every connection and process. Never rejects. Idempotent. */
  close(): Promise<void>;
}

type Opened =
  | { readonly server: McpServer; readonly link: McpLink }
  | { readonly server: McpServer; readonly error: string };

const isConnected = (opened: Opened): opened is Extract<Opened, { link: McpLink }> => "link" in opened;

function serverError({ name, message }: ServerProblem): ClawError {
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

const NO_OFFERS = { toolCount: 0, promptCount: 0, hasResources: false };

function stateOf(opened: Opened): McpServerState {
  const { name } = opened.server;
  if (!isConnected(opened)) return { name, status: "failed", error: opened.error, ...NO_OFFERS };
  const { tools, prompts, hasResources } = opened.link.offers();
  const error = opened.link.lost();
  const counts = { toolCount: tools.length, promptCount: prompts.length, hasResources };
  return { name, status: error === null ? "connected" : "lost", error, ...counts };
}

const callerOf =
  (link: McpLink, { name }: ListedTool): CallTool =>
  async (input, call, signal): Promise<ToolOutput> => {
    try {
      return await link.use((connection) => connection.callTool(name, input, call, signal), signal);
    } catch (error) {
      signal.throwIfAborted();
      const why = error instanceof Error ? error.message : "unknown error";
      const next = link.comesBack() ? ". The next call tries to reach it again" : "";
      return { output: `The server ${link.server.name} gave no result: ${why}${next}`, isError: true };
    }
  };

/** Names all tools together, so that no name depends on which server answered first. */
function toolsOf(links: readonly McpLink[], { foreignTool }: typeof McpClient): readonly AnyTool[] {
  const found = links.flatMap((link) =>
    link.offers().tools.map((listed) => ({ server: link.server.name, listed, run: callerOf(link, listed) })),
  );
  const names = nameTools(found.map(({ server, listed }) => ({ server, tool: listed.name })));
  const foreign = found.map((parts, index) => foreignTool({ ...parts, name: names[index] ?? "" }));
  return [...foreign, ...createResourceTools(links)];
}

interface Opening {
  readonly client: typeof McpClient;
  readonly around: McpSurroundings;
  readonly onChange: () => void;
}

async function openAll(servers: readonly McpServer[], opening: Opening, signal: AbortSignal): Promise<Opened[]> {
  const { client, around, onChange } = opening;
  const open = async (server: McpServer): Promise<Opened> => {
    const connect = (until: AbortSignal): Promise<McpConnection> => client.connectServer(server, around, until);
    try {
      return { server, link: createMcpLink({ server, connection: await connect(signal), connect, onChange }) };
    } catch (error) {
      // Every error becomes a value: the caller must get the other servers too, to close them.
      return { server, error: error instanceof Error ? error.message : "unknown error" };
    }
  };
  return Promise.all(servers.map(open));
}

function sayProblems(opened: readonly Opened[], problems: readonly ServerProblem[], say: (text: string) => void): void {
  for (const { name, message } of problems) say(`The MCP server ${name} is left out: ${message}.`);
  for (const one of opened) {
    const { name } = one.server;
    if (!isConnected(one)) say(`The MCP server ${name} is left out: ${one.error}.`);
    else if (one.link.offers().leftOut > 0) {
      say(`${one.link.offers().leftOut} tools of the MCP server ${name} are left out.`);
    }
  }
}

const NONE: McpServers = {
  tools: [],
  prompts: [],
  servers: [],
  listResources: () => Promise.resolve([]),
  close: () => Promise.resolve(),
};

async function listAll(links: readonly McpLink[], signal: AbortSignal): Promise<readonly string[]> {
  const asked = links
    .filter((link) => link.offers().hasResources)
    .map(async (link) => {
      const found = await link.use((connection) => connection.listResources(signal), signal);
      return found.map(({ uri }) => `${link.server.name}:${uri}`);
    });
  const settled = await Promise.allSettled(asked);
  signal.throwIfAborted();
  return settled.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
}

/** Combines the opened servers. After `forget`, the next access makes tools and prompts anew. */
function assemble(opened: readonly Opened[], problems: readonly ServerProblem[], client: typeof McpClient) {
  const links = opened.filter(isConnected).map(({ link }) => link);
  let tools: readonly AnyTool[] | undefined;
  let prompts: readonly McpPrompt[] | undefined;
  const invalid = problems.map(({ name, message: error }) => ({
    name,
    status: "invalid" as const,
    error,
    ...NO_OFFERS,
  }));
  const servers: McpServers = {
    get tools() {
      return (tools ??= toolsOf(links, client));
    },
    get prompts() {
      return (prompts ??= createPrompts(links));
    },
    get servers() {
      return [...opened.map(stateOf), ...invalid];
    },
    listResources: (signal) => listAll(links, signal),
    close: async () => void (await Promise.all(links.map((link) => link.close()))),
  };
  const forget = (): void => {
    tools = undefined;
    prompts = undefined;
  };
  return { servers, forget };
}

/**
 * Opens every server that the settings name, all at once. A server that cannot be used is reported and left out. When a
 * required server cannot be used, rejects with MCP_SERVER_UNAVAILABLE or MCP_CONFIG_INVALID. An abort rejects with the
 * signal's reason. After a rejection, every process and connection started here has ended.
 */
export async function openMcpServers(
  config: Readonly<Record<string, unknown>>,
  around: McpSurroundings,
  signal: AbortSignal,
): Promise<McpServers> {
  signal.throwIfAborted();
  const { servers: known, problems } = readServers(config, around.env);
  const broken = problems.find(({ required }) => required);
  if (broken !== undefined) throw serverError(broken);
  if (known.length + problems.length === 0) return NONE;
  const client = await import("./mcp-client.ts");
  let forget = (): void => undefined;
  const opened = await openAll(known, { client, around, onChange: () => forget() }, signal);
  const { servers, forget: forgetTools } = assemble(opened, problems, client);
  forget = forgetTools;
  const missing = opened.find((one) => one.server.required && !isConnected(one));
  if (signal.aborted || missing !== undefined) await servers.close();
  signal.throwIfAborted();
  if (missing !== undefined && !isConnected(missing)) throw unavailable(missing.server.name, missing.error);
  sayProblems(opened, problems, around.onProblem);
  return servers;
}
