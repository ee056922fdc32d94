import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../process/testing/until.ts";
import type { Accept, TransportConnection, Transport } from "./transport.ts";
import { readRequest } from "../wire/wire.ts";

/** The other end, as a test drives it. */
export interface WireClient {
  send(text: string): void;
  /** One line in pieces, cut wherever it is told. */
  sendPieces(pieces: readonly Uint8Array[]): void;
  /** The beginning of a line whose end never comes. */
  sendHalf(text: string): void;
  sendBinary(bytes: Uint8Array): void;
  /** Stops reading, or reads again. */
  pause(on: boolean): void;
  close(): void;
  /** Whether the connection has ended. */
  closed(): boolean;
  /** Received so far. */
  readonly frames: readonly string[];
}

export interface TransportSubject {
  readonly transport: Transport;
  /** Resolves when connected, or when turned away. */
  connect(): Promise<WireClient>;
}

export interface SubjectOptions {
  readonly partialLineMs?: number;
  readonly maxConnections?: number;
}

interface Served {
  readonly connection: TransportConnection;
  /** Sent back for every line, when set. */
  answer?: string;
  limit: number;
  readonly lines: string[];
  readonly told: string[];
}

/** Answers every line with what it was read as, and writes down what the transport tells. */
function createServer(): { accept: Accept; clients: Served[] } {
  const clients: Served[] = [];
  const accept: Accept = (connection) => {
    const served: Served = { connection, limit: LIMITS.requestLineBytes, lines: [], told: [] };
    clients.push(served);
    return {
      line: (text) => {
        served.lines.push(text);
        const said = JSON.stringify({ line: served.lines.length, kind: readRequest(text).kind });
        connection.send(served.answer ?? said);
      },
      lineLimit: () => served.limit,
      oversize: () => {
        served.told.push("oversize");
        connection.end();
      },
      drained: () => void served.told.push("drained"),
      closed: (by = "client") => void served.told.push(`closed by ${by}`),
    };
  };
  return { accept, clients };
}

interface Scene {
  readonly subject: TransportSubject;
  readonly clients: Served[];
  /** A client, and what the server sees of it. */
  readonly connect: () => Promise<{ client: WireClient; served: Served }>;
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

/** What every transport promises. */
export function transportConformance(create: (options: SubjectOptions) => TransportSubject): void {
  const start = async (options: SubjectOptions = {}): Promise<Scene> => {
    const subject = create(options);
    const { accept, clients } = createServer();
    await subject.transport.listen(accept);
    onTestFinished(() => subject.transport.close());
    const connect = async (): Promise<{ client: WireClient; served: Served }> => {
      const client = await subject.connect();
      client.send("{}");
      const before = clients.length;
      await until(() => client.frames.length === 1 || clients.length > before);
      await until(() => client.frames.length === 1);
      const served = clients.at(-1);
      if (served === undefined) throw new Error("nobody was served");
      return { client, served };
    };
    return { subject, clients, connect };
  };

  test("lines arrive in order, and so do frames", async () => {
    const { connect } = await start();
    const { client, served } = await connect();
    const lines = Array.from({ length: 500 }, (_, n) => `{"n":${n}}`);
    for (const line of lines) client.send(line);
    await until(() => client.frames.length === 501);
    expect(served.lines.slice(1)).toEqual(lines);
    expect(client.frames.map((frame) => (JSON.parse(frame) as { line: number }).line)).toEqual(
      Array.from({ length: 501 }, (_, n) => n + 1),
    );
  });

  test("a line of the greatest length arrives, a longer one ends the connection", async () => {
    const { connect } = await start();
    const { client, served } = await connect();
    client.send("x".repeat(LIMITS.requestLineBytes));
    await until(() => served.lines.length === 2);
    expect(served.lines[1]).toHaveLength(LIMITS.requestLineBytes);
    client.send("x".repeat(LIMITS.requestLineBytes + 1));
    await until(() => client.closed() && served.told.includes("closed by server"));
    expect([served.lines.length, served.told[0], served.told.at(-1)]).toEqual([2, "oversize", "closed by server"]);
  });

  test("a line that is begun before a token is shown ends the connection once it is longer than allowed", async () => {
    const { connect } = await start();
    const { client, served } = await connect();
    served.limit = LIMITS.tokenlessLineBytes;
    client.sendHalf("x".repeat(LIMITS.tokenlessLineBytes + 1));
    await until(() => client.closed() || served.told.includes("oversize"));
    client.sendHalf("x".repeat(LIMITS.requestLineBytes - LIMITS.tokenlessLineBytes - 1));
    client.send("x");
    await until(() => client.closed() && served.told.includes("closed by server"));
    expect(served).toMatchObject({ lines: ["{}"], told: ["oversize", "closed by server"] });
  });

  test("a character cut in two arrives whole", async () => {
    const { connect } = await start();
    const { client, served } = await connect();
    const line = '{"x":"ü€😀"}';
    const bytes = text(line);
    const pieces = Array.from(bytes, (byte) => Uint8Array.of(byte));
    client.sendPieces(pieces);
    await until(() => served.lines.length === 2);
    expect(served.lines[1]).toBe(line);
  });

  test("junk is handed on and harms nobody", async () => {
    const { connect } = await start();
    const { client, served } = await connect();
    client.sendBinary(Uint8Array.of(0xff, 0x00, 0xc3, 0x28, 0xed, 0xa0, 0x80));
    for (const line of ["null", "[]", "1", "{", "[".repeat(100_000), "{}"]) client.send(line);
    await until(() => client.frames.length === 8);
    expect(client.frames.slice(1).map((frame) => (JSON.parse(frame) as { kind: string }).kind)).toEqual([
      ...Array.from({ length: 6 }, () => "refused"),
      "request",
    ]);
    expect(served.told).toEqual([]);
  });

  test("a client that does not finish its line is hung up on, a silent one is not", async () => {
    const { connect } = await start({ partialLineMs: 20 });
    const silent = await connect();
    const slow = await connect();
    slow.client.sendHalf('{"cmd":');
    await until(() => slow.client.closed() && slow.served.told.includes("closed by server"));
    silent.client.send("{}");
    await until(() => silent.client.frames.length === 2);
    expect([slow.served.lines.length, silent.served.told]).toEqual([1, []]);
  });

  test("clients beyond the limit are turned away until others have left", async () => {
    const { connect, subject, clients } = await start({ maxConnections: 3 });
    const all = [await connect(), await connect(), await connect()];
    const refused = await subject.connect();
    await until(() => refused.closed());
    expect(clients).toHaveLength(3);
    all[0]?.client.close();
    await until(() => all[0]?.served.told.includes("closed by client") === true);
    const next = await connect();
    expect([next.served.lines, all[1]?.served.told, all[2]?.served.told]).toEqual([["{}"], [], []]);
  });

  test("a client that goes while it is sent to is told of once", async () => {
    const { connect } = await start();
    const { client, served } = await connect();
    const frame = JSON.stringify("x".repeat(10_000));
    for (let n = 0; n < 100; n += 1) served.connection.send(frame);
    client.close();
    for (let n = 0; n < 100; n += 1) served.connection.send(frame);
    await until(() => served.told.includes("closed by client"));
    served.connection.send(frame);
    served.connection.end();
    served.connection.end();
    const { client: other } = await connect();
    expect(other.frames).toHaveLength(1);
    expect(served.told.filter((what) => what !== "drained")).toEqual(["closed by client"]);
  });

  test("a client that does not read congests its connection, and reading again drains it", async () => {
    const { connect } = await start();
    const { client, served } = await connect();
    client.pause(true);
    let sent = 0;
    while (!served.connection.congested()) {
      served.connection.send(JSON.stringify({ n: sent, filling: "x".repeat(50_000) }));
      sent += 1;
      await new Promise((resolve) => setImmediate(resolve));
    }
    served.told.length = 0;
    client.pause(false);
    await until(() => served.told.includes("drained") && client.frames.length === sent + 1);
    expect(served.connection.congested()).toBe(false);
    expect(client.frames.slice(1).map((frame) => (JSON.parse(frame) as { n: number }).n)).toEqual(
      Array.from({ length: sent }, (_, n) => n),
    );
  });

  test("a client that asks and does not read its answers is not listened to until it does", async () => {
    const { connect } = await start();
    const { client, served } = await connect();
    const answer = JSON.stringify("x".repeat(100_000));
    const asked = 400;
    served.answer = answer;
    client.pause(true);
    for (let n = 0; n < asked; n += 1) client.send(`{"n":${n}}`);
    const most = 2 * Math.ceil(LIMITS.unreadAnswerBytes / answer.length);
    await until(() => served.lines.length * answer.length > LIMITS.unreadAnswerBytes);
    for (let turn = 0; turn < 50; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(served.lines.length).toBeLessThan(most);
    client.pause(false);
    await until(() => client.frames.length === asked + 1);
    expect(served.lines.slice(1)).toEqual(Array.from({ length: asked }, (_, n) => `{"n":${n}}`));
  });

  test("what was sent before the end arrives", async () => {
    const { connect } = await start();
    const { client, served } = await connect();
    served.connection.send('{"last":true}');
    served.connection.end();
    await until(() => client.closed() && served.told.includes("closed by server"));
    expect(client.frames.at(-1)).toBe('{"last":true}');
  });

  test("closing ends every connection and can be repeated", async () => {
    const { connect, subject } = await start();
    const all = [await connect(), await connect()];
    await subject.transport.close();
    expect(all.map(({ served }) => served.told)).toEqual([["closed by server"], ["closed by server"]]);
    await subject.transport.close();
    await until(() => all.every(({ client }) => client.closed()));
    expect(all.map(({ served }) => served.told)).toEqual([["closed by server"], ["closed by server"]]);
  });
}
