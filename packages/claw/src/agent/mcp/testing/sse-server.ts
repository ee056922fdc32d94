import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";
import { makeServer } from "./make-server.mjs";

export interface SseTestServer {
  readonly url: string;
  /** What came, in order. */
  readonly requests: readonly Pick<IncomingMessage, "method" | "headers">[];
  /** Breaks off the streams of events that are open. */
  cut(): void;
  close(): Promise<void>;
}

/** One client of the older transport: messages come in requests of their own, answers leave on one stream. */
class SseTransport implements Transport {
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #stream: ServerResponse;

  constructor(stream: ServerResponse) {
    this.#stream = stream;
    stream.on("close", () => this.onclose?.());
  }

  async start(): Promise<void> {
    await Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#stream.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
    await Promise.resolve();
  }

  async close(): Promise<void> {
    this.#stream.end();
    await Promise.resolve();
  }
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

/** A server of the older transport (SSE) on this computer. */
export async function startSseServer(): Promise<SseTestServer> {
  const requests: Pick<IncomingMessage, "method" | "headers">[] = [];
  const clients = new Map<string, SseTransport>();
  const streams = new Set<ServerResponse>();
  const open = async (response: ServerResponse): Promise<void> => {
    const id = randomUUID();
    const transport = new SseTransport(response);
    clients.set(id, transport);
    streams.add(response);
    response.writeHead(200, { "content-type": "text/event-stream" });
    await makeServer().connect(transport);
    response.write(`event: endpoint\ndata: /messages?client=${id}\n\n`);
  };
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const client = clients.get(new URL(request.url ?? "", "http://localhost").searchParams.get("client") ?? "");
    const text = await textOf(request);
    response.writeHead(client === undefined ? 404 : 202).end();
    client?.onmessage?.(JSON.parse(text) as JSONRPCMessage);
  };
  const http = createServer((request, response) => {
    requests.push({ method: request.method ?? "", headers: request.headers });
    void (request.method === "GET" ? open(response) : take(request, response));
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const cut = (): void => {
    for (const stream of streams) stream.destroy();
    streams.clear();
    clients.clear();
  };
  const close = async (): Promise<void> => {
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  };
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/sse`, requests, cut, close };
}
