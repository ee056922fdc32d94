import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { LIMITS } from "claw-contract";
import type { Accept } from "../transport.ts";
import { readRequest } from "../../wire/wire.ts";
import { serveEvents } from "./event-stream.ts";
import type { Entered, HttpSessions } from "./http-session.ts";
import type { Mount } from "./mount.ts";
import { serveMount } from "./mount.ts";
import type { HttpReply } from "./reply.ts";
import { bearerOf, readBody, refusal, sendAnswer, turnAway } from "./reply.ts";

export interface RouteOptions {
  readonly accept: Accept;
  readonly sessions: HttpSessions;
  readonly heartbeatMs: number;
  readonly mounts: readonly Mount[];
  /** Serves every other address. */
  readonly fallback: RequestListener | undefined;
}

type Body = Readonly<Record<string, unknown>>;

/** Requests that belong to a stream of frames, not to one answer. */
const STREAMING = new Set<unknown>(["subscribe", "unsubscribe", "ack"]);

type Shape = (body: Body) => Body;

/** Reads the request of a client with a valid token, and gets the bus's answer. */
async function answerPost(request: IncomingMessage, ask: Entered["ask"], shape: Shape): Promise<HttpReply> {
  const text = await readBody(request, LIMITS.requestLineBytes);
  if (text === undefined) return refusal(413, "request too large");
  const reading = readRequest(text);
  if (reading.kind !== "request") return refusal(400, "bad json");
  const body = shape(reading.request);
  if (STREAMING.has(body["cmd"])) return refusal(400, "use GET /events or a WebSocket for this command");
  return ask(body);
}

/** The body of a client without a good token is not read. */
async function post(response: ServerResponse, sessions: HttpSessions, shape: Shape): Promise<void> {
  const request = response.req;
  const entry = await sessions.enter(bearerOf(request));
  if (entry.kind === "refused") turnAway(response, entry.answer);
  else sendAnswer(response, await answerPost(request, entry.ask, shape));
}

const ROUTES: Readonly<Record<string, { readonly method: string; readonly shape?: Shape }>> = {
  "/health": { method: "GET" },
  "/events": { method: "GET" },
  "/publish": { method: "POST", shape: (body) => ({ ...body, cmd: "publish" }) },
  "/command": { method: "POST", shape: (body) => body },
};

const BASE = "http://localhost";

/** Answers one HTTP request that passed the checks of Host and Origin. */
export function routeHttp(request: IncomingMessage, response: ServerResponse, options: RouteOptions): void {
  const url = request.url ?? "/";
  // A URL without a leading slash is meant for a proxy, or is no address at all.
  if (!url.startsWith("/") || !URL.canParse(url, BASE)) return sendAnswer(response, refusal(400, "bad address"));
  const { pathname, searchParams } = new URL(url, BASE);
  const known = Object.hasOwn(ROUTES, pathname) ? ROUTES[pathname] : undefined;
  if (known === undefined) {
    const mount = options.mounts.find(({ path }) => path === pathname);
    if (mount !== undefined) return serveMount(mount, request, response);
    if (options.fallback !== undefined) return options.fallback(request, response);
    return sendAnswer(response, refusal(404, "not found"));
  }
  if (request.method !== known.method) {
    response.setHeader("allow", known.method);
    return sendAnswer(response, refusal(405, "method not allowed"));
  }
  if (known.shape !== undefined) {
    const failed = (): void => sendAnswer(response, refusal(500, "internal error"));
    return void post(response, options.sessions, known.shape).catch(failed);
  }
  if (pathname === "/health") return sendAnswer(response, { status: 200, body: { ok: true } });
  return serveEvents(request, response, { ...options, query: searchParams });
}
