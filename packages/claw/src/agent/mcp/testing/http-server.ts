import type { IncomingMessage } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import { makeServer } from "./make-server.mjs";

export interface HttpTestServer {
  readonly url: string;
  /** What came, in order. */
  readonly requests: readonly Pick<IncomingMessage, "method" | "headers">[];
  /** Forgets every session, as a server does that was started anew. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

async function openTransport(sessionId: string): Promise<NodeStreamableHTTPServerTransport> {
  const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => sessionId });
  await makeServer().connect(transport);
  return transport;
}

/** A server over HTTP on this computer, with a session a client. */
export async function startHttpServer(): Promise<HttpTestServer> {
  const requests: Pick<IncomingMessage, "method" | "headers">[] = [];
  let starts = 1;
  let transport = await openTransport("session-1");
  const http = createServer((request, response) => {
    requests.push({ method: request.method ?? "", headers: request.headers });
    void transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const restart = async (): Promise<void> => {
    starts += 1;
    transport = await openTransport(`session-${starts}`);
  };
  const close = async (): Promise<void> => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  };
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, requests, restart, close };
}
