import type { Duplex } from "node:stream";
import { LIMITS } from "claw-contract";
import type { RawData, WebSocket } from "ws";
import type { TransportConnection, ConnectionHandler } from "../transport.ts";
import { createHeldLines } from "../held-lines.ts";

export interface WebSocketTimes {
  readonly partialLineMs: number;
  readonly firstFrameMs: number;
  readonly heartbeatMs: number;
}

const NORMAL_CLOSURE = 1000;

/** The side that ended the connection: the client, unless the server hangs up. */
export interface ClosingSide {
  by: "client" | "server";
}

/** Frames of one turn of the loop leave together. */
export function createWebSocketConnection(ws: WebSocket, socket: Duplex, ending: ClosingSide): TransportConnection {
  let corked = false;
  const uncork = (): void => {
    corked = false;
    socket.uncork();
  };
  return {
    send: (frame) => {
      if (ws.readyState !== ws.OPEN) return;
      if (!corked) {
        corked = true;
        socket.cork();
        queueMicrotask(uncork);
      }
      ws.send(frame);
    },
    congested: () => ws.bufferedAmount > LIMITS.socketBacklogBytes,
    end: () => {
      ending.by = "server";
      ws.close(NORMAL_CLOSURE);
      setTimeout(() => ws.terminate(), LIMITS.hangUpMs).unref();
    },
  };
}

/** Ends clients that begin something and do not finish it: the first message, any message, an answer to a ping. */
function watch(ws: WebSocket, socket: Duplex, times: WebSocketTimes, stop: () => void): () => void {
  const first = setTimeout(stop, times.firstFrameMs).unref();
  let partial: NodeJS.Timeout | undefined;
  let finished = false;
  let answered = true;
  const finish = (): void => {
    finished = true;
    answered = true;
  };
  // The library's listener runs first, so every message that a chunk finishes is already reported here.
  socket.on("data", () => {
    if (finished) clearTimeout(partial);
    if (finished) partial = undefined;
    else partial ??= setTimeout(stop, times.partialLineMs).unref();
    finished = false;
  });
  let pings = 0;
  ws.on("message", finish).on("pong", finish);
  ws.on("ping", (data) => {
    finish();
    pings += 1;
    // Pongs that the client does not read would pile up without end.
    if (pings > LIMITS.webSocketPings || ws.bufferedAmount > LIMITS.socketBacklogBytes) return stop();
    return ws.pong(data);
  });
  ws.once("message", () => clearTimeout(first));
  const heartbeat = setInterval(() => {
    if (!answered) return stop();
    answered = false;
    pings = 0;
    return ws.ping();
  }, times.heartbeatMs).unref();
  return () => {
    clearTimeout(first);
    clearTimeout(partial);
    clearInterval(heartbeat);
  };
}

const messageText = (data: RawData): string =>
  Array.isArray(data) ? Buffer.concat(data).toString() : Buffer.from(data as Buffer).toString();

/** Ends a client that sends more than it may while it owes a token. The library's own limit cannot change later. */
function limitTokenless(socket: Duplex, handler: ConnectionHandler): void {
  let bytes = 0;
  // The library's listener runs first, so a message that ends in the chunk is already handled here.
  const count = (chunk: Buffer): void => {
    const limit = handler.lineLimit();
    bytes = limit < LIMITS.requestLineBytes ? bytes + chunk.length : 0;
    if (bytes > limit) refuse();
  };
  const refuse = (): void => {
    handler.oversize();
    // The library would go on to gather the message. Later bytes are dropped, so that the client sees the answer.
    socket.removeAllListeners("data").resume().end();
  };
  socket.on("data", count);
}

interface Serving {
  readonly socket: Duplex;
  readonly ending: ClosingSide;
  readonly times: WebSocketTimes;
}

/** Passes each WebSocket message to the handler as one request. Returns a function that hangs up at once. */
export function serveWebSocket(ws: WebSocket, handler: ConnectionHandler, options: Serving): () => void {
  const { socket, ending, times } = options;
  const hangUp = (): void => {
    ending.by = "server";
    ws.terminate();
  };
  const unwatch = watch(ws, socket, times, hangUp);
  const lines = createHeldLines({
    line: (text) => handler.line(text),
    backlogBytes: () => ws.bufferedAmount,
    pause: (on) => (on ? ws.pause() : ws.resume()),
  });
  limitTokenless(socket, handler);
  ws.on("message", (data) => lines.take(messageText(data)));
  ws.on("error", (error) => {
    if ("code" in error && error.code === "WS_ERR_UNSUPPORTED_MESSAGE_LENGTH") handler.oversize();
  });
  socket.on("drain", () => {
    lines.resume();
    handler.drained();
  });
  ws.on("close", () => {
    unwatch();
    handler.closed(ending.by);
  });
  return hangUp;
}
