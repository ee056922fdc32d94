import { LIMITS } from "claw-contract";
import type { Transport } from "@modelcontextprotocol/client";
import { SSEClientTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Surroundings } from "./process-transport.ts";
import { ProcessTransport } from "./process-transport.ts";
import type { McpServer } from "./read-servers.ts";

/** The transport to a server, not started yet. */
export function createTransport(server: McpServer, around: Surroundings): Transport {
  if (server.kind === "stdio") return new ProcessTransport(server, around);
  const options = { requestInit: { headers: server.headers } };
  const url = new URL(server.url);
  return server.kind === "sse" ? new SSEClientTransport(url, options) : new StreamableHTTPClientTransport(url, options);
}

/** Tells a server over HTTP that the session is over. Waits at most `LIMITS.runPoliteMs` and ignores failures. */
export async function takeLeave(transport: Transport): Promise<void> {
  if (!(transport instanceof StreamableHTTPClientTransport) || transport.sessionId === undefined) return;
  const soon = new Promise<void>((resolve) => setTimeout(resolve, LIMITS.runPoliteMs).unref());
  await Promise.race([transport.terminateSession().catch(() => undefined), soon]);
}
