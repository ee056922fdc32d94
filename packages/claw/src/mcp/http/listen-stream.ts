import type { JSONRPCRequest } from "@modelcontextprotocol/server";
import type { JsonObject } from "claw-contract";
import { LIMITS, objectOf } from "claw-contract";

const SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId";
const SERVER = "io.modelcontextprotocol/serverInfo";
const KEEP_ALIVE = ": keepalive\n\n";

export interface ListenNotification {
  readonly method: string;
  readonly params: JsonObject;
}

export interface ListenSource {
  readonly request: JSONRPCRequest;
  /** Name and version of this server. */
  readonly about: JsonObject;
  /** What the subscription delivers, as the first message says it. */
  readonly honoured: JsonObject;
  /** Begins to send notifications. Returns a function that ends that. */
  readonly follow: (send: (notification: ListenNotification) => void) => () => void;
}

export interface ListenStream {
  readonly response: Response;
  /** Tells the client that the subscription is over, and ends the stream. Idempotent. */
  finish(): void;
}

const frameOf = (message: JsonObject): string =>
  `event: message\ndata: ${JSON.stringify({ jsonrpc: "2.0", ...message })}\n\n`;

/** The answer to `subscriptions/listen`: what is honoured, then notifications, until one side ends it. */
export function createListenStream(
  { request, honoured, about, follow }: ListenSource,
  ended: () => void,
): ListenStream {
  const encoder = new TextEncoder();
  const _meta = { [SUBSCRIPTION]: request.id };
  let stop = (): void => undefined;
  let isOver = false;
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  const write = (text: string): void => {
    if (!isOver) controller?.enqueue(encoder.encode(text));
  };
  const send = ({ method, params }: ListenNotification): void =>
    write(frameOf({ method, params: { ...params, _meta: { ...objectOf(params["_meta"]), ..._meta } } }));
  const beat = setInterval(() => write(KEEP_ALIVE), LIMITS.heartbeatMs).unref();
  const end = (): void => {
    if (isOver) return;
    isOver = true;
    clearInterval(beat);
    stop();
    ended();
  };
  const body = new ReadableStream<Uint8Array>({
    start: (opened) => {
      controller = opened;
      send({ method: "notifications/subscriptions/acknowledged", params: { notifications: honoured } });
    },
    cancel: end,
  });
  stop = follow(send);
  const headers = { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" };
  return {
    response: new Response(body, { headers }),
    finish: () => {
      if (isOver) return;
      write(frameOf({ id: request.id, result: { resultType: "complete", _meta: { ..._meta, [SERVER]: about } } }));
      end();
      controller?.close();
    },
  };
}
