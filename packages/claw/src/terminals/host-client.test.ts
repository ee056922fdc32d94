import type { Socket } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { ClawError } from "@claw/contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import type { HostClient } from "./host-client.ts";
import { connectHost } from "./host-client.ts";
import type { HostPush } from "./host-wire.ts";

type Frame = Readonly<Record<string, unknown>>;

/** A host that says what the test lets it say. */
async function openHost(answer: (frame: Frame) => Frame | undefined = () => undefined) {
  const path = join(temporaryFolder(onTestFinished), "host.sock");
  const asked: Frame[] = [];
  let wake = (): void => undefined;
  let socket: Socket | undefined;
  const server = createServer((connected) => {
    socket = connected;
    let rest = "";
    connected.on("data", (chunk) => {
      const lines = `${rest}${chunk.toString()}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const frame = JSON.parse(line) as Frame;
        asked.push(frame);
        const reply = answer(frame);
        if (reply !== undefined) connected.write(`${JSON.stringify(reply)}\n`);
      }
      wake();
    });
    connected.on("error", () => connected.destroy());
  });
  await new Promise<void>((resolve) => void server.listen(path, resolve));
  onTestFinished(() => {
    socket?.destroy();
    server.close();
  });
  /** Waits until it has been asked so often. */
  const until = async (count: number): Promise<void> => {
    while (asked.length < count) await new Promise<void>((resolve) => (wake = resolve));
  };
  const say = (...frames: readonly Frame[]): void =>
    void socket?.write(frames.map((frame) => `${JSON.stringify(frame)}\n`).join(""));
  return { path, asked, until, say, hangUp: () => socket?.destroy() };
}

type Host = Awaited<ReturnType<typeof openHost>>;

/** A client of a host, what the host said by itself, and how often the end was told. */
async function enter(host: Host, token: string | null = null) {
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

describe("a client of the terminal host", () => {
  test("asks with a number of its own, and gets the answer to it, in whatever order they come", async () => {
    const host = await openHost();
    const { client } = await enter(host);
    const answers = [client.ask("offset", { id: "1" }), client.ask("list")];
    await host.until(2);
    expect(host.asked).toEqual([
      { n: 1, op: "offset", id: "1" },
      { n: 2, op: "list" },
    ]);
    host.say({ n: 9, ok: true }, { n: 2, ok: true, terminals: [] }, { n: 1, ok: true, offset: 7 });
    expect(await Promise.all(answers)).toEqual([
      { n: 1, ok: true, offset: 7 },
      { n: 2, ok: true, terminals: [] },
    ]);
  });

  test("fails with the host's error", async () => {
    const host = await openHost(({ n }) => ({
      n,
      ok: false,
      code: "TERMINAL_NOT_FOUND",
      message: "no 3",
      target: "3",
    }));
    const { client } = await enter(host);
    const error = await failure(client.ask("resize"));
    expect(error).toBeInstanceOf(ClawError);
    expect(error).toMatchObject({ code: "TERMINAL_NOT_FOUND", message: "no 3", operation: "resize", target: "3" });
  });

  test("is told what the host says by itself, and nothing while it is paused", async () => {
    const host = await openHost(({ n }) => ({ n, ok: true }));
    const { client, pushes, state } = await enter(host);
    const ended = (id: string): HostPush => ({ push: "ended", id, exitCode: 0, signal: null });
    const pushed = (): Promise<void> => new Promise((resolve) => (state.whenPushed = resolve));
    const first = pushed();
    await client.ask("list");
    host.say(ended("1"));
    await first;
    client.pause(true);
    host.say(ended("2"));
    const asked = host.asked.length;
    const paused = client.ask("list");
    await host.until(asked + 1);
    expect(pushes).toEqual([ended("1")]);
    client.pause(false);
    await paused;
    expect(pushes).toEqual([ended("1"), ended("2")]);
  });

  test("is told once that the host is gone, and what it waits for fails, as does all it asks then", async () => {
    const host = await openHost();
    const { client, state } = await enter(host);
    const end = new AbortController();
    const waiting = [failure(client.ask("wait", {}, end.signal)), failure(client.ask("list"))];
    await host.until(2);
    const closed = new Promise<void>((resolve) => (state.whenClosed = resolve));
    host.hangUp();
    expect(await Promise.all(waiting)).toEqual([gone("wait", host.path), gone("list", host.path)]);
    await closed;
    end.abort(new Error("late"));
    expect([await failure(client.ask("read")), state.closed]).toEqual([gone("read", host.path), 1]);
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
    const waiting = failure(client.ask("wait", { id: "1" }, end.signal));
    end.abort("enough");
    expect(await waiting).toBe("enough");
    await host.until(2);
    expect(host.asked).toEqual([
      { n: 1, op: "wait", id: "1" },
      { n: 2, op: "cancel", call: 1 },
    ]);
    host.say({ n: 1, ok: true });
    const next = client.ask("list");
    await host.until(3);
    host.say({ n: 3, ok: true });
    expect(await next).toEqual({ n: 3, ok: true });
  });

  test("before it asks says nothing to the host", async () => {
    const host = await openHost(({ n }) => ({ n, ok: true }));
    const { client } = await enter(host);
    expect(await failure(client.ask("wait", {}, AbortSignal.abort("enough")))).toBe("enough");
    await client.ask("list");
    expect(host.asked).toEqual([{ n: 2, op: "list" }]);
  });

  test("after the answer says nothing either", async () => {
    const host = await openHost(({ n }) => ({ n, ok: true }));
    const { client } = await enter(host);
    const end = new AbortController();
    await client.ask("wait", {}, end.signal);
    end.abort("enough");
    await client.ask("list");
    expect(host.asked.map(({ op }) => op)).toEqual(["wait", "list"]);
  });
});

describe("connecting", () => {
  test("shows the token before anything else", async () => {
    const host = await openHost(({ n }) => ({ n, ok: true }));
    const { client, state } = await enter(host, "secret");
    await client.ask("list");
    expect(host.asked).toEqual([
      { n: 1, op: "hello", token: "secret" },
      { n: 2, op: "list" },
    ]);
    const closed = new Promise<void>((resolve) => (state.whenClosed = resolve));
    host.hangUp();
    await closed;
  });

  test("fails when the token is not taken, and no end of it is told", async () => {
    const refusal = { ok: false, code: "TERMINAL_HOST_FAILED", message: "wrong", target: "terminal-host" };
    const host = await openHost(({ n }) => ({ n, ...refusal }));
    const listener = { push: () => undefined, closed: () => expect.unreachable() };
    const error = await failure(connectHost({ socket: host.path, token: "wrong" }, listener));
    expect(error).toMatchObject({ code: "TERMINAL_HOST_FAILED", message: "wrong", operation: "hello" });
    host.hangUp();
  });

  test("fails when nobody listens there", async () => {
    const path = join(temporaryFolder(onTestFinished), "nobody.sock");
    const listener = { push: () => undefined, closed: () => expect.unreachable() };
    expect(await failure(connectHost({ socket: path, token: null }, listener))).toEqual(gone("connect", path));
  });
});
