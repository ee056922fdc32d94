import type { AddressInfo, Server, Socket } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { CLIENT_LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../claw/src/process/testing/until.ts";
import { temporaryFolder } from "../../claw/src/files/testing/temporary-folder.ts";
import { onLines } from "../../claw/src/process/testing/json-lines.ts";
import type { ChannelServer } from "./connection/channel.conformance.ts";
import { describeChannel } from "./connection/channel.conformance.ts";
import type { OpenChannel } from "./connection/channel.ts";
import { tcpChannel, unixChannel } from "./node.ts";

async function serve(listen: (server: Server) => void, open: (server: Server) => OpenChannel): Promise<ChannelServer> {
  const lines: string[] = [];
  let client: Socket | undefined;
  let gone = false;
  const server = createServer((socket) => {
    client = socket;
    onLines(socket, (line) => void lines.push(line));
    socket.on("error", () => socket.destroy());
    socket.on("close", () => (gone = true));
  });
  await new Promise<void>((resolve) => {
    server.once("listening", resolve);
    listen(server);
  });
  return {
    open: open(server),
    lines,
    send: (line) => client?.write(`${line}\n`),
    held: () => (client?.writableLength ?? 0) > 1024 * 1024,
    hangUp: () => client?.end(),
    gone: () => gone,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

describeChannel("unix socket", async () => {
  const folder = temporaryFolder(onTestFinished);
  const path = join(folder, "claws.sock");
  const server = await serve(
    (listening) => listening.listen(path),
    () => unixChannel(path),
  );
  return server;
});

describeChannel("TCP", () =>
  serve(
    (listening) => listening.listen(0, "127.0.0.1"),
    (listening) => tcpChannel((listening.address() as AddressInfo).port),
  ),
);

test("a line larger than any frame of the bus ends the connection before it is held whole", async () => {
  const server = await serve(
    (listening) => listening.listen(0, "127.0.0.1"),
    (listening) => tcpChannel((listening.address() as AddressInfo).port),
  );
  onTestFinished(() => server.stop());
  const channel = await server.open();
  server.send("before");
  expect(await channel.receive()).toEqual(["before"]);
  server.send("x".repeat(CLIENT_LIMITS.frameBytes + 1));
  expect(await channel.receive()).toEqual([]);
  await until(() => server.gone());
});
