import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { ClawError, LIMITS } from "claw-contract";
import type { WebSocketServer } from "ws";
import { errnoOf } from "../../files/index.ts";
import type { Accept, Entrance, Transport } from "./transport.ts";
import { createHttpSessions } from "./http/http-session.ts";
import type { OriginOptions } from "./http/origin.ts";
import { foreignness, isLoopback } from "./http/origin.ts";
import { bearerOf, refusal, sendAnswer } from "./http/reply.ts";
import { routeHttp } from "./http/routes.ts";
import type { ClosingSide, WebSocketTimes } from "./http/websocket.ts";
import { createWebSocketConnection, serveWebSocket } from "./http/websocket.ts";
import type { Mount } from "./http/mount.ts";
import type { OpenClients } from "./open-clients.ts";
import { createOpenClients } from "./open-clients.ts";

export interface HttpOptions {
  readonly host: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** PEM texts. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** Allows other machines in without TLS. */
  readonly insecure?: boolean;
  /** Names under which clients reach this server, beside those of the loopback. */
  readonly hosts?: readonly string[];
  /** Other protocols on this address, each on its own path. */
  readonly mounts?: readonly Mount[];
  /** Serves all other paths, after the same checks of Host and Origin. */
  readonly fallback?: RequestListener;
  /** The page for browsers. */
  readonly page?: PageDoor;
  readonly maxConnections?: number;
  readonly idleMs?: number;
  /** How long a request may take to arrive whole; how late that is noticed, too. */
  readonly requestMs?: number;
  readonly times?: Partial<WebSocketTimes>;
}

/** The part of an HTTP server that serves the page, and lets the page in as a client of the bus. */
export interface PageDoor {
  /** Answers a request for one of the page's addresses. False when the address is none of the page's. */
  serve(request: IncomingMessage, response: ServerResponse): boolean;
  /** The cookie of a page that opens a WebSocket; undefined when the address is none of the page's. */
  enter(request: IncomingMessage): PageEntry | undefined;
}

/** A page with a cookie, or the reason why the WebSocket is refused. */
export type PageEntry = { readonly bearer: string } | { readonly refused: string };

export interface HttpTransport extends Transport {
  /** Where it listens. Throws before `listen` has resolved. */
  address(): { readonly host: string; readonly port: number; readonly url: string };
  /** Shows a new certificate to clients that connect from now on. Has no effect on a server that began without TLS. */
  renewTls(tls: NonNullable<HttpOptions["tls"]>): void;
}

const failure = (message: string, { host, port }: HttpOptions): ClawError =>
  new ClawError("INVALID_FLAG_VALUE", message, { operation: "listen", target: `${host}:${port}` });

async function createServer({ tls, requestMs = LIMITS.httpRequestMs }: HttpOptions): Promise<Server> {
  const timeouts = {
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    handshakeTimeout: requestMs,
    connectionsCheckingInterval: requestMs,
  };
  if (tls === undefined) return (await import("node:http")).createServer(timeouts);
  return (await import("node:https")).createServer({ ...timeouts, ...tls });
}

function listenOn(server: Server, options: HttpOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(failure(`cannot listen on ${options.host}:${options.port}: ${errnoOf(error) ?? error.message}`, options)),
    );
    server.listen({ host: options.host, port: options.port }, () => resolve((server.address() as AddressInfo).port));
  });
}

interface Running {
  readonly server: Server;
  readonly sessions: ReturnType<typeof createHttpSessions>;
  /** Of every WebSocket. */
  readonly clients: OpenClients;
  readonly port: number;
}

/** Refuses an upgrade before there is a WebSocket to say it on. */
function refuseUpgrade(socket: Duplex, error: string): void {
  const body = `${JSON.stringify({ ok: false, error })}\n`;
  const head = "HTTP/1.1 403 Forbidden\r\nconnection: close\r\ncontent-type: application/json";
  socket.end(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
}

/** The entrance of a client that asks for a WebSocket, or the reason why the WebSocket is refused. */
function entranceOf(request: IncomingMessage, page: PageDoor | undefined): Entrance | { readonly refused: string } {
  const entry = page?.enter(request);
  if (entry !== undefined) return "refused" in entry ? entry : { surface: "network", page: true, ...entry };
  const bearer = bearerOf(request);
  return bearer === undefined ? { surface: "network" } : { surface: "network", bearer };
}

interface Upgrading {
  readonly accept: Accept;
  readonly entrance: Entrance;
  readonly sockets: WebSocketServer;
  readonly times: WebSocketTimes;
  readonly clients: OpenClients;
}

function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, options: Upgrading): void {
  const { accept, entrance, sockets, times, clients } = options;
  sockets.handleUpgrade(request, socket, head, (ws) => {
    const ending: ClosingSide = { by: "client" };
    const handler = accept(createWebSocketConnection(ws, socket, ending), entrance);
    const hangUp = serveWebSocket(ws, handler, { socket, ending, times });
    ws.on("close", clients.add(hangUp));
  });
}

async function startServer(accept: Accept, options: HttpOptions): Promise<Running> {
  const { WebSocketServer } = await import("ws");
  const server = await createServer(options);
  const sockets = new WebSocketServer({
    noServer: true,
    perMessageDeflate: false,
    autoPong: false,
    clientTracking: false,
    maxPayload: LIMITS.requestLineBytes,
  });
  server.maxConnections = options.maxConnections ?? LIMITS.connections;
  const port = await listenOn(server, options);
  const origin: OriginOptions = { host: options.host, port, hosts: options.hosts ?? [] };
  const times = {
    partialLineMs: LIMITS.partialLineMs,
    firstFrameMs: LIMITS.authWaitMs,
    heartbeatMs: LIMITS.heartbeatMs,
    ...options.times,
  };
  const sessions = createHttpSessions(accept, options.idleMs ?? LIMITS.httpIdleMs);
  const { mounts = [], fallback } = options;
  const routing = { accept, sessions, heartbeatMs: times.heartbeatMs, mounts, fallback };
  const clients = createOpenClients();
  server.on("request", (request, response) => {
    const foreign = foreignness(request, origin);
    if (foreign !== undefined) sendAnswer(response, refusal(403, foreign));
    else if (options.page?.serve(request, response) !== true) routeHttp(request, response, routing);
  });
  server.on("upgrade", (request, socket, head) => {
    socket.on("error", () => socket.destroy());
    const foreign = foreignness(request, origin);
    const entrance = foreign === undefined ? entranceOf(request, options.page) : { refused: foreign };
    if ("refused" in entrance) refuseUpgrade(socket, entrance.refused);
    else upgrade(request, socket, head, { accept, entrance, sockets, times, clients });
  });
  return { server, sessions, clients, port };
}

async function stop({ server, sessions, clients }: Running): Promise<void> {
  sessions.close();
  const closing = new Promise<void>((resolve) => void server.close(() => resolve()));
  const gone = clients.hangUp();
  server.closeAllConnections();
  await Promise.all([gone, closing]);
}

/**
 * Serves WebSockets, server-sent events and plain requests on one address. Every client of the bus must show a token.
 * Throws INVALID_FLAG_VALUE for an address that other machines can reach without TLS, unless `insecure` is set.
 */
export function createHttpTransport(options: HttpOptions): HttpTransport {
  const { host, tls, insecure = false } = options;
  if (!isLoopback(host) && tls === undefined && !insecure) {
    throw failure(`${host} can be reached from other machines: add --tls-cert and --tls-key, or --insecure`, options);
  }
  let running: Running | undefined;
  return {
    listen: async (accept) => {
      running = await startServer(accept, options);
    },
    renewTls: ({ cert, key }) => {
      if (running !== undefined && "setSecureContext" in running.server) {
        (running.server as unknown as HttpsServer).setSecureContext({ cert, key });
      }
    },
    address: () => {
      if (running === undefined) throw failure("the server does not listen", options);
      const { port } = running;
      const name = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host;
      return { host, port, url: `${tls === undefined ? "http" : "https"}://${name}:${port}` };
    },
    close: async () => {
      if (running === undefined) return;
      const ending = running;
      running = undefined;
      await stop(ending);
    },
  };
}
