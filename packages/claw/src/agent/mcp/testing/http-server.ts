import type { IncomingMessage } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { NodeStreamableHTTPServerTransport } from "@modelcontextprotocol/node";
import { makeServer } from "./make-server.mjs";

export interface HttpTestServer {
  readonly url: string;
  /** What came, in order. */
  readonly requests: readonly Pick<IncomingMessage, "method" | "headers">[];
  close(): Promise<void>;
}

/** A server over HTTP on this computer, with a session a client. */
export async function startHttpServer(): Promise<HttpTestServer> {
  const requests: Pick<IncomingMessage, "method" | "headers">[] = [];
  const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => "session-1" });
  await makeServer().connect(transport);
  const http = createServer((request, response) => {
    requests.push({ method: request.method ?? "", headers: request.headers });
    void transport.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const close = async (): Promise<void> => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  };
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`, requests, close };
}
