import { describe, expect, onTestFinished, test } from "vitest";
import { connectFrames } from "../../packages/claw/src/process/testing/json-lines.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { startForeground } from "../reliability/foreground-daemon.ts";
import type { Frame, WireClient } from "./daemon-process.ts";
import { connectWire } from "./daemon-process.ts";
import { createWorkspace } from "./workspace.ts";

/** A client that goes on writing and never hangs up, whatever it is told. */
async function connectStubborn(path: string) {
  const { socket, frames, send } = await connectFrames(path, { allowHalfOpen: true });
  onTestFinished(() => void socket.destroy());
  return {
    send,
    frames,
    answer: (id: unknown) => frames.find(({ rid }) => rid === id),
    end: () => void socket.end(),
  };
}

const event = (from: string, n: number): Frame => ({
  v: 1,
  id: `6f1d6a1e-1a52-4a8e-9e9f-${String(n).padStart(12, "0")}`,
  from_peer: from,
  from_name: "w",
  ts_published: "2026-01-01T00:00:00.000Z",
  schema: "worker-event-v1",
  data: { kind: "LOG", severity: "info", message: `${n}` },
});

const publishing = (peerId: string, n: number): Frame => ({
  cmd: "publish",
  topic: `worker.${peerId}.event`,
  payload: event(peerId, n),
});

const HELLO = {
  cmd: "hello",
  protocol: "claws/2",
  role: "worker",
  peerName: "w",
  capabilities: ["receipts", "resume"],
};

const FENCED = "fenced: a newer connection took over";

async function startScene() {
  const daemon = await startForeground(createWorkspace().cwd);
  onTestFinished(() => daemon.kill());
  const watcher = await connectWire(daemon.socket);
  await watcher.hello("orchestrator");
  await watcher.ask({ cmd: "subscribe", topic: "**" });
  const left = (): Frame[] => watcher.messages().filter(({ topic }) => topic === "system.peer.left");
  const said = (): string[] =>
    watcher
      .messages()
      .filter(({ topic }) => String(topic).endsWith(".event"))
      .map(({ payload }) => (payload as { data: { message: string } }).data.message);
  return { daemon, watcher, left, said };
}

/** How a client shows that it is the same as before. */
const PROOFS: readonly (readonly [string, (hello: Frame | undefined) => Frame])[] = [
  ["the same nonce", () => ({ instanceNonce: "n" })],
  ["its resume token", (hello) => (hello === undefined ? {} : { resumeToken: hello["resumeToken"] })],
];

describe.each(PROOFS)("a client that comes again with %s", (_how, proofOf) => {
  test("takes the place of its older connection, whose publishes are stored or refused, never both", async () => {
    const { daemon, watcher, left, said } = await startScene();
    const old = await connectStubborn(daemon.socket);
    old.send({ id: "hello", ...HELLO, ...proofOf(undefined) });
    const hello = await until("the hello", () => old.answer("hello"));
    const peerId = String(hello["peerId"]);
    for (let n = 0; n < 300; n += 1) old.send({ id: n, ...publishing(peerId, n) });
    const next = await connectWire(daemon.socket);
    const again = await next.ask({ ...HELLO, ...proofOf(hello) });
    expect(again).toMatchObject({ ok: true, peerId, restored: true });
    for (let n = 300; n < 400; n += 1) old.send({ id: n, ...publishing(peerId, n) });
    old.end();
    const receipts = await Promise.all(Array.from({ length: 400 }, (_, n) => next.ask(publishing(peerId, n))));
    expect(receipts.filter(({ ok }) => ok !== true)).toEqual([]);
    expect(receipts.slice(300).filter(({ duplicate }) => duplicate !== false)).toEqual([]);
    expect(old.frames).toContainEqual({ push: "fenced", protocol: "claws/2", peerId, reason: "taken-over" });
    const answers = old.frames.filter(({ rid }) => typeof rid === "number");
    const stored = answers.filter(({ ok }) => ok === true);
    const refusals = answers.filter(({ ok }) => ok !== true).map(({ error }) => error);
    expect(stored.map(({ rid }) => receipts[Number(rid)])).toMatchObject(
      stored.map(({ sequence }) => ({ sequence, duplicate: true })),
    );
    expect(new Set([FENCED, ...refusals])).toEqual(new Set([FENCED]));
    expect(answers.filter(({ rid, ok }) => Number(rid) >= 300 && ok === true)).toEqual([]);
    await until("every event", () => said().length >= 400);
    expect(said().toSorted((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 400 }, (_, n) => `${n}`));
    expect(left()).toEqual([]);
    expect(
      ((await watcher.ask({ cmd: "peers" }))["peers"] as Frame[]).filter((peer) => peer["peerId"] === peerId),
    ).toHaveLength(1);
  });

  test("keeps its phase, gets its commands alone, and leaves once", async () => {
    const { daemon, watcher, left } = await startScene();
    const phase = (client: WireClient, id: string, to: string, prev: string | null): Promise<Frame> =>
      client.publish(`worker.${id}.phase`, { phase: to, prev, transition_reason: "x", phases_completed: [] });
    const old = await connectWire(daemon.socket);
    const hello = await old.ask({ ...HELLO, ...proofOf(undefined) });
    const peerId = String(hello["peerId"]);
    expect(await phase(old, peerId, "PLAN", null)).toMatchObject({ ok: true });
    const next = await connectWire(daemon.socket);
    expect(await next.ask({ ...HELLO, ...proofOf(hello) })).toMatchObject({ ok: true, peerId });
    expect(await phase(next, peerId, "SPAWN", "PLAN")).toMatchObject({ ok: true });
    await watcher.publish(`cmd.${peerId}.pause`, {});
    await until("the command", () => next.messages().length === 1);
    expect(old.messages()).toEqual([]);
    expect(left()).toEqual([]);
    next.close();
    await until("its leaving", () => left().length === 1);
    expect(left()[0]?.["payload"]).toMatchObject({ peerId, reason: "crash" });
    await watcher.ask({ cmd: "ping" });
    expect(left()).toHaveLength(1);
  });
});

test("of many connections of one client that come at once, one is left", async () => {
  const { daemon, watcher, left } = await startScene();
  const clients = await Promise.all(Array.from({ length: 20 }, () => connectStubborn(daemon.socket)));
  for (const client of clients) client.send({ id: "hello", ...HELLO, instanceNonce: "n" });
  await until("every hello", () => clients.every((client) => client.answer("hello") !== undefined));
  const fenced = (): typeof clients => clients.filter(({ frames }) => frames.some(({ push }) => push === "fenced"));
  await until("all but one", () => fenced().length === 19);
  for (const client of fenced()) client.end();
  const winner = clients.find((client) => !fenced().includes(client));
  winner?.send({ id: "ping", cmd: "ping" });
  await until("its answer", () => winner?.answer("ping"));
  const { peers } = (await watcher.ask({ cmd: "peers" })) as { peers?: Frame[] };
  expect([peers?.filter(({ role }) => role === "worker").length, left()]).toEqual([1, []]);
});
