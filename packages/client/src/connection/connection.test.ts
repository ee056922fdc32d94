import { ClawError, CLIENT_LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../../claw/src/process/testing/until.ts";
import type { LineConnection } from "./channels/memory.ts";
import { memoryChannel } from "./channels/memory.ts";
import type { ClientOptions } from "../client.ts";
import type { OwnClient } from "../create-client.ts";
import { createClient } from "../create-client.ts";
import { createFaultyChannel } from "../testing/faulty-channel.ts";
import { createManualTimer } from "../testing/manual-timer.ts";
import { createModelBus } from "../testing/model-bus.ts";
import { settled } from "../testing/settled.ts";
import { backOffMs } from "./connection.ts";

function start(options: Partial<ClientOptions> = {}) {
  const bus = createModelBus();
  const timer = createManualTimer();
  const connections: LineConnection[] = [];
  const wire = createFaultyChannel(
    memoryChannel((connection) => {
      connections.push(connection);
      return bus.accept(connection);
    }),
  );
  const client: OwnClient = createClient("orchestrator", { channel: wire.open, name: "main", timer, ...options });
  onTestFinished(() => client.close());
  /** Says something to the client that nobody asked for. */
  const say = (...frames: unknown[]): void => {
    for (const frame of frames) {
      connections.at(-1)?.send(typeof frame === "string" ? frame : JSON.stringify(frame));
    }
  };
  const cutAndReturn = async (): Promise<void> => {
    wire.cut();
    await settled();
    timer.advance(CLIENT_LIMITS.retryMostMs);
    await settled();
  };
  const bearers = (): unknown[] => bus.requests.flatMap(({ cmd, bearer }) => (cmd === "hello" ? [bearer] : []));
  return { bus, timer, wire, client, say, cutAndReturn, bearers };
}

const expired = { ok: false, error: "auth:expired" };

test("a bearer that is a function is asked anew for every connection", async () => {
  let given = 0;
  const { client, cutAndReturn, bearers } = start({ bearer: async () => `token-${(given += 1)}` });
  await client.ready();
  await cutAndReturn();
  await cutAndReturn();
  expect(bearers()).toEqual(["token-1", "token-2", "token-3"]);
});

test("a token that the bus refuses is renewed once; a second refusal is the client's end", async () => {
  let given = 0;
  const { bus, client, timer, bearers } = start({ bearer: () => `token-${(given += 1)}`, attempts: 1 });
  bus.answers.set("hello", expired);
  await settled();
  timer.advance(CLIENT_LIMITS.retryMostMs);
  await client.ready();
  expect(bearers()).toEqual(["token-1", "token-2"]);
  const refused = start({ bearer: () => "stale" });
  for (const _ of [1, 2]) {
    refused.bus.answers.set("hello", expired);
    await settled();
    refused.timer.advance(CLIENT_LIMITS.retryMostMs);
  }
  await expect(refused.client.ready()).rejects.toMatchObject({ code: "TOKEN_EXPIRED" });
  expect(refused.bearers()).toEqual(["stale", "stale"]);
});

test("a token that is a text is not tried twice", async () => {
  const { bus, client, bearers } = start({ bearer: "stale" });
  bus.answers.set("hello", expired);
  await expect(client.ready()).rejects.toMatchObject({ code: "TOKEN_EXPIRED" });
  expect(bearers()).toEqual(["stale"]);
});

test("whoever cannot give a token now is asked again; whoever has none ends the client", async () => {
  let asked = 0;
  const later = (): string => {
    asked += 1;
    if (asked === 1) throw new Error("no network");
    return "token";
  };
  const { client, timer } = start({ bearer: later });
  await settled();
  timer.advance(CLIENT_LIMITS.retryMostMs);
  await client.ready();
  const none = new ClawError("TOKEN_MISSING", "signed out", { operation: "refresh", target: "token" });
  const { client: without, bearers } = start({ bearer: () => Promise.reject(none) });
  await expect(without.ready()).rejects.toBe(none);
  expect(bearers()).toEqual([]);
});

test("a connection that always ends soon after it began is made ever more slowly", async () => {
  const { client, wire, timer } = start();
  await client.ready();
  const waitedMs: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    const before = timer.now();
    wire.cut();
    await settled();
    while (client.status() !== "open") {
      timer.advance(50);
      await settled();
    }
    waitedMs.push(timer.now() - before);
  }
  expect(waitedMs.slice(0, 3)).toEqual([100, 150, 300]);
  expect(waitedMs.at(-1)).toBe(CLIENT_LIMITS.retryMostMs * 0.75);
  timer.advance(CLIENT_LIMITS.silenceMs);
  await settled();
  wire.cut();
  await settled();
  timer.advance(CLIENT_LIMITS.retryFirstMs);
  await until(() => client.status() === "open");
});

test("closing while a connection is being opened does not wait for it", async () => {
  let signalled = false;
  const client = createClient("observer", {
    name: "tail",
    channel: (signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => {
          signalled = true;
          reject(new Error("the caller no longer waits"));
        });
      }),
  });
  await settled();
  await client.close();
  expect(signalled).toBe(true);
});

test("closing while waiting for the next attempt leaves no timer behind", async () => {
  const { client, wire, timer } = start();
  await client.ready();
  wire.refuse(true);
  wire.cut();
  await settled();
  expect(client.status()).toBe("connecting");
  await client.close();
  expect(timer.waiting()).toBe(0);
});

test("what a listener throws does not end the client", async () => {
  const thrown: unknown[] = [];
  const catchIt = (error: unknown): void => void thrown.push(error);
  const others = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException").on("uncaughtException", catchIt);
  onTestFinished(() => {
    process.off("uncaughtException", catchIt);
    for (const other of others) process.on("uncaughtException", other);
  });
  const mistake = new Error("a mistake of the page");
  const { client } = start({
    onStatus: () => {
      throw mistake;
    },
  });
  await client.ready();
  expect(await client.publish("cmd.p_9.pause", {})).toMatchObject({ sequence: 1 });
  await until(() => thrown.length > 0);
  expect(thrown[0]).toBe(mistake);
});

const HOSTILE: readonly unknown[] = [
  "",
  "null",
  "{",
  "[]",
  `{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}`,
  { rid: 999, ok: true },
  { rid: "1", ok: true },
  { rid: 1, ok: "yes" },
  { rid: -1, ok: false, error: { toString: "no" } },
  { push: "message" },
  { push: "message", subscriptionId: "s_1", topic: 7, from: null, cursor: "x", sequence: "1", sentAt: 0 },
  { push: "gap", subscriptionId: "s_1", from: "x" },
  { push: "caught-up", subscriptionId: "s_1" },
  { push: "detached", subscriptionId: "s_404", durable: "audit" },
  { push: { toString: 1 }, __proto__: { polluted: true } },
  '{"push":"message","subscriptionId":"__proto__","topic":"a","from":"b","cursor":"c","sequence":1,"sentAt":0}',
  "\u0000\uFFFF".repeat(1000),
];

test("nothing that a bus says unasked unsettles a client", async () => {
  const { client, say } = start();
  const events = client.subscribe("cmd.**", { own: true });
  await events.ready();
  say(...HOSTILE);
  expect(await client.publish("cmd.p_9.pause", {})).toMatchObject({ sequence: 1 });
  expect((await events.next()).value).toMatchObject({ kind: "event", topic: "cmd.p_9.pause" });
  expect(client.status()).toBe("open");
});

test.each([
  ["hello", { ok: true, serverCapabilities: ["receipts", "gap"] }, "the bus does not offer a peer id"],
  ["hello", { ok: true, peerId: "p_1", serverCapabilities: "all" }, "the bus does not offer receipts and gap"],
])("an answer to %s that lacks what belongs to it is said to: %j", async (cmd, answer, message) => {
  const { bus, client } = start();
  bus.answers.set(cmd, answer);
  await expect(client.ready()).rejects.toMatchObject({ code: "BUS_INCOMPATIBLE", message });
});

test("an accepted publish without a receipt and an accepted subscription without an id are errors of the bus", async () => {
  const { bus, client } = start();
  bus.answers.set("publish", { ok: true });
  bus.answers.set("subscribe", { ok: true });
  const incomplete = {
    code: "BUS_INCOMPATIBLE",
    message: expect.stringContaining("but left out fields of the reply"),
  };
  await expect(client.publish("cmd.p_9.pause", {})).rejects.toMatchObject(incomplete);
  await expect(client.subscribe("**").next()).rejects.toMatchObject(incomplete);
});

test("waits double, half by chance, up to a cap", () => {
  expect([0, 1, 2, 3].map((failures) => [backOffMs(failures, 0), backOffMs(failures, 1)])).toEqual([
    [50, 100],
    [100, 200],
    [200, 400],
    [400, 800],
  ]);
  expect(backOffMs(1_000_000, 1)).toBe(CLIENT_LIMITS.retryMostMs);
});
