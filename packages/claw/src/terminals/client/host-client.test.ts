import type { Socket } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import type { HostPush } from "claw-contract";
import { ClawError } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { onLines } from "../../process/testing/json-lines.ts";
import { until } from "../../process/testing/until.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import type { HostClient } from "./host-client.ts";
import { connectHost } from "./host-client.ts";

type Frame = Readonly<Record<string, unknown>>;

const ACCEPTED = ({ id }: Frame): Frame | undefined => ({ rid: id, ok: true });
const HELLO = { id: 1, cmd: "hello", token: "secret", versions: { oldest: 1, newest: 1 } };
const LISTED = { ok: true, terminals: [] };

/** A host that says what the test lets it say. It accepts every token, unless the test answers `hello` itself. */
async function openHost(answer: (frame: Frame) => Frame | undefined = () => undefined, hello = ACCEPTED) {
  const path = join(temporaryFolder(onTestFinished), "host.sock");
  const asked: Frame[] = [];
  let socket: Socket | undefined;
  const server = createServer((connected) => {
    socket = connected;
    onLines(connected, (line) => {
      const frame = JSON.parse(line) as Frame;
      asked.push(frame);
      const reply = frame["cmd"] === "hello" ? hello(frame) : answer(frame);
      if (reply !== undefined) connected.write(`${JSON.stringify(reply)}\n`);
    });
    connected.on("error", () => connected.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  onTestFinished(() => {
    socket?.destroy();
    server.close();
  });
  const asks = (count: number) => until(`${count} requests`, () => asked.length >= count);
  const say = (...frames: readonly Frame[]): void =>
    void socket?.write(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(""));
  return { path, asked, asks, say, hangUp: () => socket?.destroy() };
}

type Host = Awaited<ReturnType<typeof openHost>>;

/** A client of a host, what the host said by itself, and how often the end was told. */
async function enter(host: Host, token = "secret") {
  const pushes: HostPush[] = [];
  const state = { closed: 0, whenPushed: (): void => undefined, whenClosed: (): void => undefined };
  const client: HostClient = await connectHost(
    { socket: host.path, token },
    {
      push: (push) => {
        pushes.push(push);
        state.whenPushed();
      },
      closed: () => {
        state.closed += 1;
        state.whenClosed();
      },
    },
  );
  onTestFinished(() => client.close());
  return { client, pushes, state };
}

const gone = (operation: string, target: string): unknown =>
  expect.objectContaining({ code: "TERMINAL_HOST_FAILED", operation, target });

const failure = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

const WAIT = { terminalId: "1", from: 5 };

describe("a client of the terminal host", () => {
  test("fails when a reply is not what the contract promises, and passes over pushes it does not know", async () => {
    const host = await openHost(({ id }) => ({ rid: id, ok: true, offset: "7" }));
    const { client, pushes } = await enter(host);
    host.say({ push: "news" }, { push: "output", terminalId: "1", offset: -1, data: "" });
    expect(await failure(client.ask("offset", { terminalId: "1" }))).toEqual(gone("offset", host.path));
    expect(pushes).toEqual([]);
  });

  test("asks with a number of its own, and gets the answer to it, in whatever order they come", async () => {
    const host = await openHost();
    const { client } = await enter(host);
    const answers = [client.ask("offset", { terminalId: "1" }), client.ask("list", {})];
    await host.asks(3);
    expect(host.asked).toEqual([HELLO, { id: 2, cmd: "offset", terminalId: "1" }, { id: 3, cmd: "list" }]);
    host.say({ rid: 9, ok: true }, { rid: 3, ...LISTED }, { rid: 2, ok: true, offset: 7 });
    expect(await Promise.all(answers)).toMatchObject([{ offset: 7 }, { terminals: [] }]);
  });

  test("fails with the host's error", async () => {
    const host = await openHost(({ id }) => ({
      rid: id,
      ok: false,
      code: "TERMINAL_NOT_FOUND",
      message: "no 3",
      target: "3",
    }));
    const { client } = await enter(host);
    const error = await failure(client.ask("resize", { terminalId: "3", cols: 1, rows: 1 }));
    expect(error).toBeInstanceOf(ClawError);
    expect(error).toMatchObject({ code: "TERMINAL_NOT_FOUND", message: "no 3", operation: "resize", target: "3" });
  });

  test("is told what the host says by itself, and nothing while it is paused", async () => {
    const host = await openHost(({ id }) => ({ rid: id, ...LISTED, offset: 7 }));
    const { client, pushes, state } = await enter(host);
    const ended = (id: string): HostPush => ({ push: "ended", terminalId: id, exitCode: 0, signal: null });
    const pushed = (): Promise<void> => new Promise((resolve) => (state.whenPushed = resolve));
    const first = pushed();
    await client.ask("list", {});
    host.say(ended("1"));
    await first;
    client.pause(true);
    host.say(ended("2"));
    const asked = host.asked.length;
    const paused = client.ask("list", {});
    await host.asks(asked + 1);
    expect(pushes).toEqual([ended("1")]);
    client.pause(false);
    await paused;
    expect(pushes).toEqual([ended("1"), ended("2")]);
  });

  test("is told once that the host is gone, and what it waits for fails, as does all it asks then", async () => {
    const host = await openHost();
    const { client, state } = await enter(host);
    const end = new AbortController();
    const waiting = [failure(client.ask("wait", WAIT, end.signal)), failure(client.ask("list", {}))];
    await host.asks(3);
    const closed = new Promise<void>((resolve) => (state.whenClosed = resolve));
    host.hangUp();
    expect(await Promise.all(waiting)).toEqual([gone("wait", host.path), gone("list", host.path)]);
    await closed;
    end.abort(new Error("late"));
    expect([await failure(client.ask("read", { terminalId: "1" })), state.closed]).toEqual([
      gone("read", host.path),
      1,
    ]);
  });

  test("closes by itself, which is told too", async () => {
    const { client, state } = await enter(await openHost());
    const closed = new Promise<void>((resolve) => (state.whenClosed = resolve));
    client.close();
    await closed;
    expect(state.closed).toBe(1);
  });
});

describe("giving up", () => {
  test("fails with the reason, and tells the host which call it was", async () => {
    const host = await openHost();
    const { client } = await enter(host);
    const end = new AbortController();
    const waiting = failure(client.ask("wait", WAIT, end.signal));
    end.abort("enough");
    expect(await waiting).toBe("enough");
    await host.asks(3);
    expect(host.asked).toEqual([HELLO, { id: 2, cmd: "wait", ...WAIT }, { id: 3, cmd: "cancel", call: 2 }]);
    host.say({ rid: 2, ok: true });
    const next = client.ask("list", {});
    await host.asks(4);
    host.say({ rid: 4, ...LISTED });
    expect(await next).toMatchObject({ terminals: [] });
  });

  test("before it asks says nothing to the host", async () => {
    const host = await openHost(({ id }) => ({ rid: id, ...LISTED, offset: 7 }));
    const { client } = await enter(host);
    expect(await failure(client.ask("wait", WAIT, AbortSignal.abort("enough")))).toBe("enough");
    await client.ask("list", {});
    expect(host.asked).toEqual([HELLO, { id: 2, cmd: "list" }]);
  });

  test("after the answer says nothing either", async () => {
    const host = await openHost(({ id }) => ({ rid: id, ...LISTED, offset: 7 }));
    const { client } = await enter(host);
    const end = new AbortController();
    await client.ask("wait", WAIT, end.signal);
    end.abort("enough");
    await client.ask("list", {});
    expect(host.asked.map(({ cmd }) => cmd)).toEqual(["hello", "wait", "list"]);
  });
});

describe("connecting", () => {
  test("shows the token before anything else", async () => {
    const host = await openHost(({ id }) => ({ rid: id, ...LISTED, offset: 7 }));
    const { client, state } = await enter(host, "secret");
    await client.ask("list", {});
    expect(host.asked).toEqual([HELLO, { id: 2, cmd: "list" }]);
    const closed = new Promise<void>((resolve) => (state.whenClosed = resolve));
    host.hangUp();
    await closed;
  });

  test("fails when the token is not taken, and no end of it is told", async () => {
    const refusal = { ok: false, code: "TERMINAL_HOST_FAILED", message: "wrong", target: "terminal-host" };
    const host = await openHost(undefined, ({ id }) => ({ rid: id, ...refusal }));
    const listener = { push: () => undefined, closed: () => expect.unreachable() };
    const error = await failure(connectHost({ socket: host.path, token: "wrong" }, listener));
    expect(error).toMatchObject({ code: "TERMINAL_HOST_FAILED", message: "wrong", operation: "hello" });
    host.hangUp();
  });

  test("fails when nobody listens there", async () => {
    const path = join(temporaryFolder(onTestFinished), "nobody.sock");
    const listener = { push: () => undefined, closed: () => expect.unreachable() };
    expect(await failure(connectHost({ socket: path, token: "secret" }, listener))).toEqual(gone("connect", path));
    expect(await failure(connectHost({ socket: path, token: null }, listener))).toEqual(gone("hello", path));
  });

  test("fails when a host of an older version does not understand the greeting", async () => {
    const refusal = { n: 0, ok: false, code: "TERMINAL_HOST_FAILED", message: "not shown", target: "terminal-host" };
    const host = await openHost(undefined, () => {
      setImmediate(() => host.hangUp());
      return refusal;
    });
    const listener = { push: () => undefined, closed: () => expect.unreachable() };
    expect(await failure(connectHost({ socket: host.path, token: "secret" }, listener))).toMatchObject({
      code: "PROTOCOL_MISMATCH",
      message: "the terminal host does not understand this version of claw",
      operation: "hello",
    });
  });

  test("goes with a host that names no version, and leaves one that chose a version it does not speak", async () => {
    await enter(await openHost());
    const host = await openHost(undefined, ({ id }) => ({ rid: id, ok: true, version: 9 }));
    const listener = { push: () => undefined, closed: () => expect.unreachable() };
    expect(await failure(connectHost({ socket: host.path, token: "secret" }, listener))).toMatchObject({
      code: "PROTOCOL_MISMATCH",
      message: expect.stringContaining("version 9 of its protocol, its client version 1; restart the older daemon"),
    });
  });
});
