import type { IncomingMessage, ServerResponse } from "node:http";
import { LIMITS } from "claw-contract";
import { cursorOfPush } from "../../delivery/push-cursor.ts";
import type { Accept, TransportConnection } from "../transport.ts";
import { answerOf, bearerOf, refusal, sendAnswer } from "./reply.ts";

type Body = Readonly<Record<string, unknown>>;

const RETRY = "retry: 1000\n\n";
const HELLO = { id: "hello", cmd: "hello", protocol: "claws/2", role: "observer", peerName: "events" };

/** A pushed frame as a server-sent event. Its id is the cursor from which a reconnecting reader continues. */
export function eventOf(frame: string): string {
  const cursor = cursorOfPush(frame)?.cursor;
  if (cursor !== undefined) return `id: ${cursor}\ndata: ${frame}\n\n`;
  const { push, resumeCursor } = JSON.parse(frame) as Body;
  const id = push === "caught-up" ? `id: ${String(resumeCursor)}\n` : "";
  return `${id}event: ${String(push)}\ndata: ${frame}\n\n`;
}

/** A reader without a cursor starts at the end of the log. The first id tells the reader where the log ended. */
function openStream(response: ServerResponse, { resumeCursor }: Body, resumed: boolean): void {
  response.writeHead(200, {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-store",
    "x-accel-buffering": "no",
  });
  response.write(resumed ? RETRY : `id: ${String(resumeCursor)}\n${RETRY}`);
}

/** Turns frames into server-sent events, and refusals into HTTP statuses. */
function createConnection(response: ServerResponse, resumed: boolean): TransportConnection {
  const take = (frame: string): void => {
    const body = JSON.parse(frame) as Body;
    if (body["push"] !== undefined || response.headersSent) return;
    if (body["ok"] !== true) sendAnswer(response, answerOf(body));
    else if (body["rid"] === "subscribe") openStream(response, body, resumed);
  };
  return {
    send: (frame) => {
      if (response.destroyed || response.writableEnded) return;
      if (response.headersSent && frame.startsWith('{"push":')) response.write(eventOf(frame));
      else take(frame);
    },
    congested: () => response.writableLength > LIMITS.socketBacklogBytes,
    end: () => {
      response.end();
      setTimeout(() => response.destroy(), LIMITS.hangUpMs).unref();
    },
  };
}

/** `GET /events?topic=…`: history after a cursor, then live, as server-sent events. */
export function serveEvents(
  request: IncomingMessage,
  response: ServerResponse,
  options: { accept: Accept; query: URLSearchParams; heartbeatMs: number },
): void {
  const { accept, query, heartbeatMs } = options;
  const topics = query.getAll("topic");
  if (topics.length !== 1) return sendAnswer(response, refusal(400, "one topic required"));
  const last = request.headers["last-event-id"];
  const fromCursor = (typeof last === "string" && last !== "" ? last : query.get("cursor")) ?? undefined;
  const connection = createConnection(response, fromCursor !== undefined);
  const bearer = bearerOf(request);
  const handler = accept(connection, bearer === undefined ? { surface: "network" } : { surface: "network", bearer });
  const heartbeat = setInterval(() => {
    if (response.headersSent && !connection.congested()) response.write(":\n\n");
  }, heartbeatMs).unref();
  response.on("drain", () => handler.drained());
  response.on("error", () => response.destroy());
  response.on("close", () => {
    clearInterval(heartbeat);
    handler.closed("client");
  });
  handler.line(JSON.stringify({ ...HELLO, capabilities: ["gap"] }));
  if (!response.writableEnded) {
    handler.line(JSON.stringify({ id: "subscribe", cmd: "subscribe", topic: topics[0], fromCursor }));
  }
  return undefined;
}
