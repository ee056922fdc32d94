import { once } from "node:events";
import { existsSync, readdirSync, renameSync, statSync, unlinkSync } from "node:fs";
import { connect, createServer } from "node:net";
import { basename, dirname, join } from "node:path";
import { LIMITS } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { onLines } from "../../process/testing/json-lines.ts";
import { until } from "../../process/testing/until.ts";
import { HANDLERS } from "../requests/handlers.generated.ts";
import { startBus } from "../testing/bus-harness.ts";
import type { ConnectionHandler } from "./transport.ts";
import type { WireClient } from "./transport.conformance.ts";
import { transportConformance } from "./transport.conformance.ts";
import { createUnixTransport } from "./unix.ts";

/** Short, because the path of a socket has to be. */
function socketPath(): string {
  const folder = temporaryFolder(onTestFinished);
  return join(folder, "s.sock");
}

async function connectTo(path: string): Promise<WireClient> {
  const socket = connect(path);
  const frames: string[] = [];
  let closed = false;
  onLines(socket, (line) => void frames.push(line));
  socket.on("error", () => socket.destroy());
  socket.on("close", () => (closed = true));
  await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
  return {
    frames,
    send: (text) => void socket.write(`${text}\n`),
    sendPieces: (pieces) => {
      socket.setNoDelay(true);
      for (const piece of pieces) socket.write(piece);
      socket.write("\n");
    },
    sendHalf: (text) => void socket.write(text),
    sendBinary: (bytes) => void (socket.write(bytes), socket.write("\n")),
    pause: (on) => void (on ? socket.pause() : socket.resume()),
    close: () => void socket.destroy(),
    closed: () => closed,
  };
}

describe("a unix socket", () => {
  transportConformance((options) => {
    const path = socketPath();
    return { transport: createUnixTransport(path, options), connect: () => connectTo(path) };
  });

  test("can be reached by this user alone", async () => {
    const path = socketPath();
    const transport = createUnixTransport(path);
    await transport.listen(() => ({
      line: () => undefined,
      lineLimit: () => LIMITS.requestLineBytes,
      oversize: () => undefined,
      drained: () => undefined,
      closed: () => undefined,
    }));
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const second = createUnixTransport(path);
    await expect(
      second.listen(() => {
        throw new Error("nobody connects");
      }),
    ).rejects.toMatchObject({ code: "DAEMON_RUNNING" });
    await transport.close();
  });

  test("of a bus that asks for tokens lets nobody do anything without one", async () => {
    const path = socketPath();
    const { bus } = await startBus({ access: { requireToken: true } });
    const transport = createUnixTransport(path);
    await transport.listen(bus.accept);
    onTestFinished(() => transport.close());
    const client = await connectTo(path);
    const commands = [...HANDLERS.keys()];
    for (const cmd of commands) client.send(JSON.stringify({ cmd, protocol: "claws/2", role: "orchestrator" }));
    await until(() => client.frames.length === commands.length);
    expect(new Set(client.frames)).toEqual(new Set(['{"protocol":"claws/1","ok":false,"error":"auth:required"}']));
  });

  const served = (): ConnectionHandler => ({
    line: () => undefined,
    lineLimit: () => LIMITS.requestLineBytes,
    oversize: () => undefined,
    drained: () => undefined,
    closed: () => undefined,
  });

  test("is there at once with its mode, whatever the umask, and takes the place of a dead one", async () => {
    const path = socketPath();
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    const dead = createServer().listen(path);
    await once(dead, "listening");
    renameSync(path, `${path}.kept`);
    dead.close();
    await once(dead, "close");
    renameSync(`${path}.kept`, path);
    const transport = createUnixTransport(path);
    await transport.listen(served);
    expect([statSync(path).mode & 0o777, readdirSync(dirname(path))]).toEqual([0o600, [basename(path)]]);
    expect((await connectTo(path)).closed()).toBe(false);
    await transport.close();
    expect(existsSync(path)).toBe(false);
  });

  test("that was replaced by another's is left alone when it closes", async () => {
    const path = socketPath();
    const [first, second] = [createUnixTransport(path), createUnixTransport(path)];
    await first.listen(served);
    unlinkSync(path);
    await second.listen(served);
    await first.close();
    expect((await connectTo(path)).closed()).toBe(false);
    await second.close();
  });
});
