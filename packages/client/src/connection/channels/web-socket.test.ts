import { CLIENT_LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { WebSocket, WebSocketServer } from "ws";
import { describeChannel } from "../channel.conformance.ts";
import { createManualTimer } from "../../testing/manual-timer.ts";
import { webSocketChannel } from "./web-socket.ts";

describeChannel("WebSocket", async () => {
  const lines: string[] = [];
  const server = new WebSocketServer({ port: 0, host: "127.0.0.1" });
  let client: WebSocket | undefined;
  let gone = false;
  server.on("connection", (socket) => {
    client = socket;
    socket.on("message", (data) => lines.push(String(data)));
    socket.on("close", () => (gone = true));
  });
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    open: webSocketChannel(`ws://127.0.0.1:${port}`, { WebSocket }),
    lines,
    send: (line) => client?.send(line),
    held: () => gone,
    hangUp: () => client?.close(),
    gone: () => gone,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
});

test("a server that never answers is given up in time", async () => {
  const timer = createManualTimer();
  let closed = false;
  class Silent {
    readonly bufferedAmount = 0;
    send(): void {}
    close(): void {
      closed = true;
    }
    addEventListener(): void {}
  }
  const opening = webSocketChannel("ws://nowhere", { WebSocket: Silent, timer })();
  timer.advance(CLIENT_LIMITS.openTimeoutMs);
  await expect(opening).rejects.toMatchObject({ code: "BUS_UNREACHABLE" });
  expect(closed).toBe(true);
});

test("a server that does not answer is left at once when nobody waits for it any more", async () => {
  const controller = new AbortController();
  const silent = createServer();
  await new Promise<void>((resolve) => void silent.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void silent.close());
  const left = new Promise<void>((resolve) => {
    silent.on("connection", (socket) => {
      socket.on("error", () => socket.destroy());
      socket.on("close", () => resolve());
      controller.abort();
    });
  });
  const opening = webSocketChannel(`ws://127.0.0.1:${(silent.address() as AddressInfo).port}`, { WebSocket });
  await expect(opening(controller.signal)).rejects.toMatchObject({ code: "BUS_UNREACHABLE" });
  await left;
});

test("a message larger than any frame of the bus ends the connection", async () => {
  let tell: (event: { data: string }) => void = () => undefined;
  let closed = false;
  class Huge {
    readonly bufferedAmount = 0;
    send(): void {}
    close(): void {
      closed = true;
    }
    addEventListener(type: string, listener: (event: { data: string }) => void): void {
      if (type === "open") queueMicrotask(() => listener({ data: "" }));
      if (type === "message") tell = listener;
    }
  }
  const channel = await webSocketChannel("ws://huge", { WebSocket: Huge, timer: createManualTimer() })();
  const received = channel.receive();
  tell({ data: "x".repeat(CLIENT_LIMITS.frameBytes + 1) });
  expect([await received, closed]).toEqual([[], true]);
});
