import { once } from "node:events";
import type { Socket } from "node:net";
import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { LIMITS } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../../process/testing/until.ts";
import { makeSelfSigned } from "../../testing/self-signed.ts";
import type { HttpScene } from "../../testing/start-http.ts";
import { startHttp } from "../../testing/start-http.ts";
import { createHttpTransport } from "../http.ts";

interface Raw {
  readonly socket: Socket;
  /** What came, one character a byte. */
  text(): string;
  closed(): boolean;
}

function open(port: number): Raw {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  let closed = false;
  socket.setEncoding("latin1").on("data", (chunk: string) => (text += chunk));
  socket.on("error", () => socket.destroy()).on("close", () => (closed = true));
  onTestFinished(() => void socket.destroy());
  return { socket, text: () => text, closed: () => closed };
}

/** The status that some bytes are answered with. */
async function statusOf({ port }: HttpScene, bytes: string): Promise<number> {
  const raw = open(port);
  raw.socket.write(bytes);
  await until(() => raw.text().includes("\r\n\r\n") || raw.closed());
  return Number(/^HTTP\/1\.1 (\d+)/.exec(raw.text())?.[1] ?? 0);
}

const HOST = "Host: localhost\r\n";
const isWell = (scene: HttpScene): Promise<number> => statusOf(scene, `GET /health HTTP/1.1\r\n${HOST}\r\n`);

describe("a server on the network", () => {
  test.each(["//", "///", "http://[", "http://evil.example/health", "*", "/\\", "//evil.example/", "/%zz", "/?%"])(
    "is not ended by the address %s",
    async (address) => {
      const scene = await startHttp();
      const status = await statusOf(scene, `GET ${address} HTTP/1.1\r\n${HOST}\r\n`);
      expect([[400, 404].includes(status), await isWell(scene)]).toEqual([true, 200]);
    },
  );

  test.each([
    ["a header beyond its limit", `GET /health HTTP/1.1\r\n${HOST}x: ${"a".repeat(100_000)}\r\n\r\n`, 431],
    ["an address beyond its limit", `GET /${"a".repeat(100_000)} HTTP/1.1\r\n${HOST}\r\n`, 431],
    ["two hosts", `GET /health HTTP/1.1\r\n${HOST}Host: evil.example\r\n\r\n`, 403],
    ["no request at all", "\u0016\u0003\u0001\u0002\u0000\u0001\r\n\r\n", 400],
    ["two lengths", `POST /publish HTTP/1.1\r\n${HOST}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`, 400],
    [
      "a length and chunks",
      `POST /publish HTTP/1.1\r\n${HOST}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
  ])("refuses %s", async (_what, bytes, status) => {
    const scene = await startHttp();
    expect([await statusOf(scene, bytes), await isWell(scene)]).toEqual([status, 200]);
  });

  test.each([
    ["nothing", ""],
    ["half a header", "GET /health HTTP/1.1\r\nHost: loc"],
    ["half a body", `POST /publish HTTP/1.1\r\n${HOST}content-length: 100\r\n\r\n{`],
  ])("hangs up on who sends %s and then waits", async (_what, bytes) => {
    const scene = await startHttp({ requestMs: 40 });
    const raw = open(scene.port);
    raw.socket.write(bytes);
    await until(() => raw.closed());
    expect(raw.text()).not.toContain(" 200 ");
  });

  test("shows another certificate once it was given one, and goes on with who is connected", async () => {
    const [before, after] = [makeSelfSigned(), makeSelfSigned()];
    const transport = createHttpTransport({ host: "127.0.0.1", port: 0, tls: before });
    await transport.listen(() => {
      throw new Error("nobody asks");
    });
    onTestFinished(() => transport.close());
    const shown = async (): Promise<[string, ReturnType<typeof connectTls>]> => {
      const socket = connectTls({ port: transport.address().port, rejectUnauthorized: false });
      onTestFinished(() => void socket.destroy());
      await once(socket, "secureConnect");
      return [socket.getPeerX509Certificate()?.toString() ?? "", socket];
    };
    const [first, held] = await shown();
    transport.renewTls(after);
    const [second] = await shown();
    held.write(`GET /health HTTP/1.1\r\n${HOST}\r\n`);
    const [answer] = (await once(held, "data")) as [Buffer];
    expect([first, second]).toEqual([before.cert, after.cert]);
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("a request without a good token", () => {
  test.each([
    ["no token", ""],
    ["a forged token", "Authorization: Bearer claw1.forged.token\r\n"],
    ["an expired token", "expired"],
  ])("is answered for %s before its body is there, many at once too", async (_what, given) => {
    const scene = await startHttp();
    const expired = scene.mint({ role: "orchestrator", lifetimeMs: 0 }).authorization;
    const token = given === "expired" ? `Authorization: ${expired}\r\n` : given;
    const head = `POST /command HTTP/1.1\r\n${HOST}${token}content-length: 1000000\r\n\r\n`;
    const body = "x".repeat(900_000);
    const statuses = await Promise.all(Array.from({ length: 20 }, () => statusOf(scene, `${head}${body}`)));
    expect([new Set(statuses), await isWell(scene)]).toEqual([new Set([401]), 200]);
  });

  test("ends its connection, and nothing behind it is answered", async () => {
    const scene = await startHttp();
    const raw = open(scene.port);
    raw.socket.write(`POST /command HTTP/1.1\r\n${HOST}content-length: 2\r\n\r\n{}GET /health HTTP/1.1\r\n${HOST}\r\n`);
    await until(() => raw.text().includes("auth:required"));
    raw.socket.end();
    await until(() => raw.closed());
    expect(raw.text().match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 401"]);
  });

  test("whose token stands in its body is refused", async () => {
    const { ask, tokens } = await startHttp();
    const body = JSON.stringify({ cmd: "ping", bearer: tokens.mint({ role: "orchestrator" }) });
    expect(await ask("/command", { body })).toMatchObject({ status: 401, body: { error: "auth:required" } });
  });
});

const UPGRADE = [
  "GET / HTTP/1.1",
  "Host: localhost",
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Extensions: permessage-deflate",
  "",
  "",
].join("\r\n");

/** A frame with a mask of zeros, which leaves its content as it is. */
function frame(first: number, content: Uint8Array): Buffer {
  const head =
    content.length < 126 ? [first, 0x80 | content.length] : [first, 0xfe, content.length >> 8, content.length & 0xff];
  return Buffer.concat([Buffer.from([...head, 0, 0, 0, 0]), content]);
}

const [CONTINUED, TEXT, FIN, COMPRESSED, PING] = [0, 1, 0x80, 0x40, 9];

async function openWebSocket(scene: HttpScene, headers = ""): Promise<Raw> {
  const raw = open(scene.port);
  raw.socket.write(UPGRADE.replace("\r\n\r\n", `\r\n${headers}\r\n`));
  await until(() => raw.text().includes("\r\n\r\n"));
  expect(raw.text()).toContain(" 101 ");
  expect(raw.text().toLowerCase()).not.toContain("permessage-deflate");
  return raw;
}

/** The code in the last frame that a server sent. */
const closeCode = (raw: Raw): number => Buffer.from(raw.text().slice(-2), "latin1").readUInt16BE();

describe("a WebSocket on the network", () => {
  test.each<[string, Buffer, number]>([
    ["compressed", frame(FIN | COMPRESSED | TEXT, Buffer.from("{}")), 1002],
    ["not masked", Buffer.from([FIN | TEXT, 2, 0x7b, 0x7d]), 1002],
    ["of an unknown kind", frame(FIN | 3, Buffer.from("{}")), 1002],
    ["of a continuation that continues nothing", frame(FIN | CONTINUED, Buffer.from("{}")), 1002],
    ["no text", frame(FIN | TEXT, Buffer.from([0xff, 0xfe])), 1007],
    ["longer than it may be", Buffer.from([FIN | TEXT, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]), 1009],
  ])("is ended by a frame that is %s", async (_what, bytes, code) => {
    const scene = await startHttp();
    const raw = await openWebSocket(scene);
    raw.socket.write(bytes);
    await until(() => raw.closed());
    expect([closeCode(raw), await isWell(scene)]).toEqual([code, 200]);
  });

  test("is ended by fragments that together are longer than a message may be", async () => {
    const scene = await startHttp();
    const raw = await openWebSocket(scene, `Authorization: ${scene.mint({ role: "worker" }).authorization}\r\n`);
    const piece = Buffer.alloc(60_000, "x");
    raw.socket.write(frame(TEXT, piece));
    for (let sent = piece.length; sent <= LIMITS.requestLineBytes; sent += piece.length) {
      raw.socket.write(frame(CONTINUED, piece));
    }
    await until(() => raw.closed());
    expect(closeCode(raw)).toBe(1009);
  });

  test.each([
    ["one message", [frame(FIN | TEXT, Buffer.alloc(LIMITS.tokenlessLineBytes + 1, "x"))]],
    ["a message without an end", [frame(TEXT, Buffer.alloc(LIMITS.tokenlessLineBytes + 1, "x"))]],
    [
      "pieces, with pings between them",
      Array.from({ length: 40 }, (_, n) => frame(n === 0 ? TEXT : CONTINUED, Buffer.alloc(500, "x"))).flatMap(
        (piece) => [piece, frame(FIN | PING, Buffer.alloc(1))],
      ),
    ],
  ])("is ended when it has shown no token and sends more than it may in %s", async (_what, frames) => {
    const scene = await startHttp();
    const raw = await openWebSocket(scene, "Authorization: Bearer claw1.forged.token\r\n");
    for (const bytes of frames) raw.socket.write(bytes);
    await until(() => raw.closed());
    expect([raw.text().includes("request too large"), closeCode(raw)]).toEqual([true, 1000]);
  });

  test("answers pings, and is ended by a flood of them", async () => {
    const scene = await startHttp();
    const raw = await openWebSocket(scene);
    raw.socket.write(frame(FIN | PING, Buffer.from("hello")));
    await until(() => raw.text().endsWith("hello"));
    raw.socket.pause();
    const flood = Buffer.concat(Array.from({ length: 5000 }, () => frame(FIN | PING, Buffer.alloc(125))));
    raw.socket.write(flood);
    raw.socket.resume();
    await until(() => raw.closed());
    expect(raw.text().length).toBeLessThan(130 * LIMITS.webSocketPings);
  });
});
