import { LIMITS } from "@claw/contract";
import type { Transport } from "@modelcontextprotocol/client";
import { Client, SdkError, SdkErrorCode, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { firstChars } from "../first-chars.ts";
import type { ToolOutput } from "../tools/tool.ts";
import type { CallTool, ListedTool } from "./foreign-tool.ts";
import { foreignTool } from "./foreign-tool.ts";
import type { Surroundings } from "./process-transport.ts";
import { ProcessTransport } from "./process-transport.ts";
import type { McpServer } from "./read-servers.ts";
import { resultText } from "./result-text.ts";

export { foreignTool };

/** A server that has answered, and what it offers. */
export interface McpConnection {
  readonly tools: readonly ListedTool[];
  /** How many were left out: too many, listed twice, or described at too great a length. */
  readonly leftOut: number;
  callerOf(tool: ListedTool): CallTool;
  /** Ends the connection, and the process with everything it started. Never rejects. Idempotent. */
  close(): Promise<void>;
}

/** What went wrong with a server, in words for people. */
function explain(error: unknown, transport: Transport): string {
  if (transport instanceof ProcessTransport && transport.epitaph !== null) return transport.epitaph;
  if (SdkError.isInstance(error)) {
    if (error.code === SdkErrorCode.RequestTimeout) return "it did not answer in time";
    if (error.code === SdkErrorCode.ConnectionClosed || error.code === SdkErrorCode.NotConnected) {
      return "its connection is closed";
    }
  }
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return firstChars(`${error instanceof Error ? error.message : "unknown error"}${cause}`, LIMITS.runErrorChars);
}

async function listTools(client: Client, signal: AbortSignal): Promise<ListedTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const tools: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < LIMITS.mcpPages; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: "tools/list", params }, { timeout: LIMITS.mcpListMs, signal });
    tools.push(...answer.tools);
    cursor = answer.nextCursor;
    if (cursor === undefined || tools.length > LIMITS.mcpTools) break;
  }
  return tools;
}

/** What can be offered to a model: each name once, described within bounds. */
function choose(listed: readonly ListedTool[]): ListedTool[] {
  const names = new Set<string>();
  const fitting = listed.filter(({ name, inputSchema }) => {
    const isNew = !names.has(name);
    names.add(name);
    return isNew && JSON.stringify(inputSchema).length <= LIMITS.mcpSchemaChars;
  });
  return fitting.slice(0, LIMITS.mcpTools);
}

function createTransport(server: McpServer, around: Surroundings): Transport {
  if (server.kind === "stdio") return new ProcessTransport(server, around);
  return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: server.headers } });
}

/** Tells a server over HTTP that its session is over. It need not hear it. */
async function takeLeave(transport: Transport): Promise<void> {
  if (!(transport instanceof StreamableHTTPClientTransport) || transport.sessionId === undefined) return;
  const soon = new Promise<void>((resolve) => setTimeout(resolve, LIMITS.runPoliteMs).unref());
  await Promise.race([transport.terminateSession().catch(() => undefined), soon]);
}

function createCaller(client: Client, server: McpServer, explainError: (error: unknown) => string) {
  return (tool: ListedTool): CallTool =>
    async (input, call, signal): Promise<ToolOutput> => {
      signal.throwIfAborted();
      try {
        const request = { method: "tools/call" as const, params: { name: tool.name, arguments: input } };
        const result = await client.request(request, {
          timeout: server.callTimeoutMs,
          signal,
          onprogress: ({ message }) => message !== undefined && call.progress(message),
        });
        return { output: resultText(result), isError: result.isError === true };
      } catch (error) {
        signal.throwIfAborted();
        return { output: `The server ${server.name} gave no result: ${explainError(error)}`, isError: true };
      }
    };
}

/**
 * Starts or reaches a server and asks for its tools. Rejects with an error that says what is wrong in words for people,
 * after everything it started has ended.
 */
export async function connectServer(
  server: McpServer,
  around: Surroundings & { readonly version: string },
  signal: AbortSignal,
): Promise<McpConnection> {
  const transport = createTransport(server, around);
  const client = new Client({ name: "claw", version: around.version });
  const end = async (): Promise<void> => {
    await takeLeave(transport);
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
  };
  let ending: Promise<void> | undefined;
  const close = (): Promise<void> => (ending ??= end());
  try {
    await client.connect(transport, { timeout: LIMITS.mcpStartMs, signal });
    const listed = await listTools(client, signal);
    const tools = choose(listed);
    const callerOf = createCaller(client, server, (error) => explain(error, transport));
    return { tools, leftOut: listed.length - tools.length, callerOf, close };
  } catch (error) {
    const why = explain(error, transport);
    await close();
    throw new Error(why, { cause: error });
  }
}
