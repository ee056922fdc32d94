import { ClawError, CLIENT_LIMITS, onAbort } from "claw-contract/client";
import type { Channel, OpenChannel } from "../channel.ts";
import type { Timer } from "../../platform.ts";
import { systemTimer } from "../../platform.ts";
import { LineQueue } from "./line-queue.ts";

interface SocketEvent {
  readonly type?: string;
  readonly data?: unknown;
}

/** The part of a WebSocket that this channel uses. The WebSockets of browsers, of Node 22 and of `ws` all fit. */
export interface WebSocketLike {
  readonly bufferedAmount: number;
  send(text: string): void;
  close(): void;
  addEventListener(type: "open" | "message" | "close" | "error", listener: (event: SocketEvent) => void): void;
}

export type WebSocketConstructor = new (url: string) => WebSocketLike;

export interface WebSocketOptions {
  readonly WebSocket: WebSocketConstructor;
  readonly timer?: Timer;
}

const POLL_MS = 20;

/** Connects to `ws://…` or `wss://…`, one line a message. */
export function webSocketChannel(url: string, { WebSocket, timer = systemTimer }: WebSocketOptions): OpenChannel {
  return (signal) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(url);
      const pending: (() => void)[] = [];
      const decided = (): void => {
        for (const cancel of pending.splice(0)) cancel();
      };
      const failed = (): void => {
        decided();
        reject(new ClawError("BUS_UNREACHABLE", `no bus answers at ${url}`, { operation: "connect", target: url }));
      };
      const giveUp = (): void => {
        socket.close();
        failed();
      };
      pending.push(timer.after(CLIENT_LIMITS.openTimeoutMs, giveUp));
      pending.push(onAbort(signal, giveUp));
      const channel = createChannel(socket, timer);
      socket.addEventListener("open", () => {
        decided();
        resolve(channel);
      });
      // After `open` the promise is settled, and a later `error` or `close` changes nothing.
      socket.addEventListener("error", failed);
      socket.addEventListener("close", failed);
    });
}

/**
 * A WebSocket offers no way to stop reading. When the reader lags too far behind, the channel closes the socket: the
 * client reconnects and asks for the events it has not seen.
 */
function createChannel(socket: WebSocketLike, timer: Timer): Channel {
  let open = true;
  const queue = new LineQueue(() => undefined);
  const end = (): void => {
    open = false;
    queue.end();
  };
  socket.addEventListener("message", ({ data }) => {
    if (typeof data !== "string" || !open) return;
    const tooLarge = data.length > CLIENT_LIMITS.frameBytes;
    if (!tooLarge) queue.push(data.split("\n").filter((line) => line !== ""));
    if (!tooLarge && queue.waiting() <= CLIENT_LIMITS.unreadBytes) return;
    end();
    socket.close();
  });
  socket.addEventListener("close", end);
  socket.addEventListener("error", end);
  const writable = (): boolean => !open || socket.bufferedAmount <= CLIENT_LIMITS.unsentBytes;
  const drained = async (): Promise<void> => {
    while (!writable()) await new Promise<void>((resolve) => void timer.after(POLL_MS, resolve));
  };
  return {
    send: (line) => {
      if (open) socket.send(line);
      return writable();
    },
    drained,
    receive: () => queue.take(),
    close: () => {
      open = false;
      queue.clear();
      socket.close();
    },
  };
}
