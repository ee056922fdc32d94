import { readFileSync, readdirSync } from "node:fs";
import { request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import * as fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ForegroundDaemon, ForegroundOptions } from "../reliability/foreground-daemon.ts";
import { startForeground } from "../reliability/foreground-daemon.ts";
import { ODD_LINES, wrongFields } from "../reliability/hostile-frames.ts";
import { stateFolder } from "../../packages/claw/src/files/index.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { readLogFiles } from "../reliability/losses.ts";
import { openRawWebSocket, textFrame } from "../reliability/raw-web-socket.ts";
import type { WireClient } from "./daemon-process.ts";
import { connectWire } from "./daemon-process.ts";
import { effort } from "./effort.ts";
import { createWorkspace } from "./workspace.ts";

interface Scene {
  readonly folder: string;
  readonly daemon: ForegroundDaemon;
  readonly witness: WireClient;
  readonly url: URL;
  readonly token: string;
  /** How the daemon is, asked by somebody who did nothing wrong. */
  readonly state: () => Promise<typeof SERVING>;
}

/** A daemon that lives, has nothing to complain of, and takes an event. */
const SERVING = { ended: false, said: "", ok: true as unknown };

async function startScene(options: ForegroundOptions = {}): Promise<Scene> {
  const folder = createWorkspace().cwd;
  const flags = ["--durability=relaxed", "--http=127.0.0.1:0", ...(options.flags ?? [])];
  const daemon = await startForeground(folder, { ...options, flags });
  onTestFinished(() => daemon.kill());
  const witness = await connectWire(daemon.socket);
  const peerId = await witness.hello("worker", { peerName: "witness" });
  const claws = (name: string): string => readFileSync(join(folder, ".claws", name), "utf8");
  const { http } = await until("the record", () => JSON.parse(claws("daemon.json")) as { http: string });
  const token = readFileSync(join(stateFolder(folder, { HOME: folder }), "orchestrator.token"), "utf8").trim();
  const state = async (): Promise<typeof SERVING> => {
    if (daemon.ended()) return { ended: true, said: daemon.said(), ok: false };
    const event = { kind: "LOG", severity: "info", message: "still here" };
    const { ok } = await witness.publish(`worker.${peerId}.event`, event);
    return { ended: daemon.ended(), said: daemon.said(), ok };
  };
  return { folder, daemon, witness, url: new URL(http), token, state };
}

/** Throws lines at a socket and leaves when they were taken, or when hung up on. */
function throwAtSocket(path: string, lines: Iterable<string | Buffer>): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on("error", () => socket.destroy()).on("close", () => resolve());
    socket.resume();
    socket.write('{"cmd":"hello","protocol":"claws/2","role":"orchestrator","capabilities":["durable","receipts"]}\n');
    for (const line of lines) socket.write(Buffer.concat([Buffer.from(line), Buffer.from("\n")]));
    socket.end();
  });
}

async function throwAtWebSocket({ url, token }: Scene, lines: Iterable<string>): Promise<void> {
  const socket = await openRawWebSocket(url, token);
  socket.send('{"cmd":"hello","protocol":"claws/2","role":"orchestrator","capabilities":["durable","receipts"]}');
  for (const line of lines) socket.send(line);
  socket.write(textFrame(Buffer.alloc(0), 0x88));
  await socket.closed;
}

function post({ url, token }: Scene, path: string, body: string | Buffer): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const call = request(new URL(path, url), { method: "POST", headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    });
    call.on("error", () => resolve(undefined));
    call.end(body);
  });
}

/** Every request waits for its answer, so those that nobody answers are left out. */
async function throwAtHttp(scene: Scene, lines: Iterable<string>): Promise<void> {
  for (const line of lines) {
    if (line.startsWith('{"cmd":"rpc.call"')) continue;
    await post(scene, "/command", line);
    if (line.length < 1000) await post(scene, "/publish", line);
  }
}

/** Some of them: each costs a request. */
const some = (lines: Iterable<string>): string[] => [...lines].filter((_, index) => index % effort(20, 5) === 0);

describe("whatever is thrown at the daemon", () => {
  test.each([
    ["its socket", (scene: Scene) => throwAtSocket(scene.daemon.socket, [...ODD_LINES, ...wrongFields()])],
    ["its WebSocket", (scene: Scene) => throwAtWebSocket(scene, [...ODD_LINES, ...wrongFields()])],
    ["its HTTP", (scene: Scene) => throwAtHttp(scene, [...ODD_LINES, ...some(wrongFields())])],
  ])("through %s, it serves others, keeps a log that can be read, and starts again", async (_where, attack) => {
    const scene = await startScene();
    await attack(scene);
    expect(await scene.state()).toEqual(SERVING);
    await scene.daemon.kill();
    const lines = readLogFiles(scene.folder);
    expect(lines.map(({ sequence }) => sequence)).toEqual(lines.map((_, index) => index + 1));
    const again = await startForeground(scene.folder);
    onTestFinished(() => again.kill());
    expect(await (await connectWire(again.socket)).ask({ cmd: "ping" })).toMatchObject({ ok: true });
  });

  test("bytes of chance harm nobody", async () => {
    const { daemon, state } = await startScene();
    const frame = fc.oneof(
      fc.json().map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      fc
        .constantFrom(...ODD_LINES)
        .chain((line) => fc.nat(Math.min(line.length, 400)).map((cut) => Buffer.from(line).subarray(0, cut))),
    );
    const property = fc.asyncProperty(fc.array(frame, { maxLength: 20 }), async (frames) => {
      await throwAtSocket(daemon.socket, frames);
      expect(await state()).toEqual(SERVING);
    });
    await fc.assert(property, { numRuns: effort(20, 60) });
  });

  test("a character that comes byte by byte comes whole", async () => {
    const { daemon, witness } = await startScene();
    await witness.ask({ cmd: "subscribe", topic: "note.*" });
    const text = "ä € 😀 \u2028 end";
    const lines = [
      '{"cmd":"hello","protocol":"claws/2","role":"orchestrator"}',
      JSON.stringify({ cmd: "publish", topic: "note.x", payload: { text } }),
    ];
    const socket = connect(daemon.socket).setNoDelay(true);
    onTestFinished(() => void socket.destroy());
    for (const byte of Buffer.from(`${lines.join("\n")}\n`)) {
      await new Promise((resolve) => socket.write(Uint8Array.of(byte), resolve));
    }
    const pushed = await until("the event", () => witness.messages()[0]);
    expect(pushed["payload"]).toEqual({ text });
  });

  test("a line may be a mebibyte and no more, with or without an end", async () => {
    const { daemon, state } = await startScene();
    const answersTo = async (bytes: string): Promise<string> => {
      const socket = connect(daemon.socket).setEncoding("utf8");
      let said = "";
      const closed = new Promise<void>((resolve) => void socket.on("close", () => resolve()));
      const answered = new Promise<void>((resolve) => {
        socket.on("data", (text: string) => {
          said += text;
          if (said.endsWith("\n")) resolve();
        });
      });
      socket.on("error", () => socket.destroy());
      socket.write(bytes);
      await Promise.race([answered, closed]);
      socket.destroy();
      return said;
    };
    const ping = '{"cmd":"ping","x":""}';
    const padded = (length: number): string => ping.replace('""', `"${"x".repeat(length - ping.length)}"`);
    expect(await answersTo(`${padded(LIMITS.requestLineBytes)}\n`)).toContain('"serverTime"');
    expect(await answersTo(`${padded(LIMITS.requestLineBytes + 1)}\n`)).toContain("request too large");
    expect(await answersTo("x".repeat(2 * LIMITS.requestLineBytes))).toContain("request too large");
    expect(await state()).toEqual(SERVING);
  });
});

const openMany = (path: string, count: number, first: string): Promise<ReturnType<typeof connect>[]> =>
  Promise.all(
    Array.from(
      { length: count },
      () =>
        new Promise<ReturnType<typeof connect>>((resolve) => {
          const socket = connect(path);
          socket.on("error", () => socket.destroy()).on("close", () => resolve(socket));
          socket.on("connect", () => socket.write(first, () => resolve(socket)));
          socket.resume();
        }),
    ),
  );

const HELLO = '{"cmd":"hello","protocol":"claws/2","role":"observer"}\n';

async function onlyWitnessLeft({ witness }: Scene): Promise<void> {
  await expect
    .poll(async () => ((await witness.ask({ cmd: "peers" }))["peers"] as unknown[]).length, { timeout: 110_000 })
    .toBe(1);
}

const openFiles = ({ daemon }: Scene): number => readdirSync(`/proc/${daemon.pid}/fd`).length;

describe("clients that do not behave", () => {
  test("and begin lines without ending them hold nobody up", async () => {
    const scene = await startScene();
    const sockets = await openMany(scene.daemon.socket, 300, '{"cmd":"publish","topic":"note.x","payl');
    expect(await scene.state()).toEqual(SERVING);
    for (const socket of sockets) socket.destroy();
    expect(await scene.state()).toEqual(SERVING);
  });

  test("and ask without reading the answers cost the daemon no more than a few of them", async () => {
    const scene = await startScene();
    const residentKb = (): number =>
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${scene.daemon.pid}/status`, "utf8"))?.[1]);
    const before = residentKb();
    const socket = connect(scene.daemon.socket);
    onTestFinished(() => void socket.destroy());
    socket.pause();
    const questions = '{"cmd":"schema.get","name":"worker-event-v1"}\n'.repeat(20_000);
    for (let round = 0; round < effort(8, 20); round += 1) {
      socket.write(questions);
      expect(await scene.state()).toEqual(SERVING);
    }
    expect(residentKb() - before).toBeLessThan(150_000);
  });

  test("and close their half at once leave nothing behind", async () => {
    const scene = await startScene();
    const event = '{"cmd":"publish","topic":"note.x","payload":{}}\n';
    for (const socket of await openMany(scene.daemon.socket, 200, HELLO + event)) socket.end();
    await onlyWitnessLeft(scene);
    expect(await scene.state()).toEqual(SERVING);
  });

  test("and come and go by the thousand leave nothing behind", async () => {
    const scene = await startScene();
    const files = openFiles(scene);
    for (let round = 0; round < effort(4, 10); round += 1) {
      const sockets = await openMany(scene.daemon.socket, 300, round % 2 === 0 ? HELLO : "");
      for (const socket of sockets) socket.destroy();
    }
    await onlyWitnessLeft(scene);
    await expect.poll(() => openFiles(scene), { timeout: 60_000 }).toBeLessThanOrEqual(files + 2);
    expect(await scene.state()).toEqual(SERVING);
  });

  test("and are more than the system lets in keep out others, not the daemon from going on", async () => {
    const scene = await startScene({ under: ["/bin/sh", "-c", 'ulimit -n 90; exec "$@"', "sh"] });
    const replay = `${HELLO}{"cmd":"subscribe","topic":"**","fromCursor":"0000:0"}\n`;
    const sockets = await openMany(scene.daemon.socket, 200, replay);
    expect(await scene.state()).toEqual(SERVING);
    for (const socket of sockets) socket.destroy();
    await onlyWitnessLeft(scene);
    expect(await scene.state()).toEqual(SERVING);
    expect(await (await connectWire(scene.daemon.socket)).hello("observer")).toMatch(/^p_/);
  });

  test("on the network with broken frames, headers and handshakes harm nobody", async () => {
    const scene = await startScene();
    const broken = [
      Buffer.from([0x81, 0x05, 0x68, 0x65, 0x6c, 0x6c, 0x6f]),
      Buffer.from([0x83, 0x80, 0, 0, 0, 0]),
      Buffer.from([0x09, 0x80, 0, 0, 0, 0]),
      Buffer.concat([Buffer.from([0x81, 0xff]), Buffer.alloc(12, 0x7f)]),
      textFrame(Buffer.from([0xff, 0xfe, 0xc3, 0x28])),
      textFrame(Buffer.alloc(2 * LIMITS.requestLineBytes, 0x78)),
      Buffer.concat(Array.from({ length: 1000 }, () => textFrame(Buffer.from("ping"), 0x89))),
    ];
    for (const bytes of broken) {
      const socket = await openRawWebSocket(scene.url, scene.token);
      socket.write(bytes);
      socket.end();
      await socket.closed;
    }
    const requests = [
      "\0\0\0\0\r\n\r\n",
      "GET / HTTP/9.9\r\n\r\n",
      `GET /${"x".repeat(100_000)} HTTP/1.1\r\nHost: ${scene.url.host}\r\n\r\n`,
      `POST /command HTTP/1.1\r\nHost: ${scene.url.host}\r\nContent-Length: -1\r\n\r\n`,
      `POST /command HTTP/1.1\r\nHost: ${scene.url.host}\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n`,
      `GET /events?topic=** HTTP/1.1\r\nHost: ${scene.url.host}\r\nLast-Event-ID: \u0001\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: ${scene.url.host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
    ];
    for (const text of requests) {
      await new Promise<void>((resolve) => {
        const socket = connect(Number(scene.url.port), scene.url.hostname);
        socket.on("error", () => socket.destroy()).on("close", () => resolve());
        socket.resume().end(text);
      });
    }
    expect(await post(scene, "/command", Buffer.alloc(2 * LIMITS.requestLineBytes, 0x20))).toBe(413);
    expect(await scene.state()).toEqual(SERVING);
  });
});
