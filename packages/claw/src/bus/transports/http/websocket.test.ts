import type { Duplex } from "node:stream";
import { LIMITS } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { until } from "../../../process/testing/until.ts";
import type { WireClient } from "../transport.conformance.ts";
import { transportConformance } from "../transport.conformance.ts";
import type { HttpOptions } from "../http.ts";
import { createHttpTransport } from "../http.ts";

async function connectTo(url: string): Promise<WireClient> {
  const ws = new WebSocket(url, { perMessageDeflate: false });
  const frames: string[] = [];
  let closed = false;
  let raw: Duplex | undefined;
  ws.on("upgrade", (response) => (raw = response.socket));
  ws.on("message", (data) => frames.push((data as Buffer).toString()));
  ws.on("error", () => ws.terminate());
  ws.on("close", () => (closed = true));
  await new Promise((resolve) => ws.once("open", resolve).once("close", resolve));
  return {
    frames,
    send: (text) => ws.send(text),
    sendPieces: (pieces) =>
      pieces.forEach((piece, at) => ws.send(piece, { binary: false, fin: at === pieces.length - 1 })),
    sendHalf: (text) => ws.send(text, { fin: false }),
    sendBinary: (bytes) => ws.send(bytes, { binary: true }),
    pause: (on) => void (on ? raw?.pause() : raw?.resume()),
    close: () => ws.terminate(),
    closed: () => closed,
  };
}

const serve = (options: Partial<HttpOptions>) => {
  const transport = createHttpTransport({ host: "127.0.0.1", port: 0, ...options });
  return { transport, connect: () => connectTo(transport.address().url.replace("http", "ws")) };
};

describe("a WebSocket", () => {
  transportConformance(({ partialLineMs, maxConnections }) =>
    serve({
      ...(maxConnections === undefined ? {} : { maxConnections }),
      ...(partialLineMs === undefined ? {} : { times: { partialLineMs } }),
    }),
  );

  const silent = {
    line: () => undefined,
    lineLimit: () => LIMITS.requestLineBytes,
    oversize: () => undefined,
    drained: () => undefined,
    closed: () => undefined,
  };

  test("that says nothing at all is hung up on", async () => {
    const { transport, connect } = serve({ times: { firstFrameMs: 20 } });
    await transport.listen(() => silent);
    onTestFinished(() => transport.close());
    const client = await connect();
    await until(() => client.closed());
    expect(client.frames).toEqual([]);
  });

  test("that does not answer pings is hung up on", async () => {
    // Long enough for an answer on a machine that has other things to do.
    const { transport, connect } = serve({ times: { heartbeatMs: 1000 } });
    await transport.listen(() => silent);
    onTestFinished(() => transport.close());
    const alive = await connect();
    const ws = new WebSocket(transport.address().url.replace("http", "ws"), { autoPong: false });
    let closed = false;
    ws.on("close", () => (closed = true));
    await until(() => closed);
    expect(alive.closed()).toBe(false);
  });
});
