import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { jsonLines } from "../../packages/claw/src/process/testing/json-lines.ts";
import { openTokenStore } from "../../packages/claw/src/bus/index.ts";
import { nodeFileSystem, stateFolder } from "../../packages/claw/src/files/index.ts";
import type { ForegroundDaemon } from "../reliability/foreground-daemon.ts";
import { startForeground } from "../reliability/foreground-daemon.ts";
import { readLogFiles } from "../reliability/losses.ts";
import type { SmallDisk } from "../reliability/small-disk.ts";
import { mountSmallDisk } from "../reliability/small-disk.ts";
import type { Frame, WireClient } from "./daemon-process.ts";
import { connectWire } from "./daemon-process.ts";
import { BINARY } from "./run-claw.ts";
import { createWorkspace } from "./workspace.ts";

const LARGE = "x".repeat(8192);

interface Scene {
  readonly disk: SmallDisk;
  start(...flags: string[]): Promise<ForegroundDaemon>;
  /** Runs a verb to its end. */
  claw(...args: string[]): { readonly status: number | null; readonly body: Frame };
}

/** A workspace on a disk of its own; undefined, and the test skipped, where there can be none. */
function createScene(skip: (reason: string) => void): Scene | undefined {
  const disk = mountSmallDisk(join(createWorkspace().cwd, "disk"));
  if (typeof disk === "string") {
    skip(disk);
    return undefined;
  }
  return {
    disk,
    start: async (...flags) => {
      const daemon = await startForeground(disk.folder, { flags });
      onTestFinished(() => daemon.kill());
      return daemon;
    },
    claw: (...args) => {
      const { PATH, XDG_CACHE_HOME } = process.env;
      const env = { PATH, XDG_CACHE_HOME, HOME: disk.folder };
      const { status, stdout } = spawnSync(process.execPath, [BINARY, ...args, "--output-format", "json"], {
        cwd: disk.folder,
        env,
        encoding: "utf8",
      });
      return { status, body: JSON.parse(stdout) as Frame };
    },
  };
}

/** A worker that says things, and what it said that was acknowledged. */
async function createSpeaker({ socket }: ForegroundDaemon) {
  const client = await connectWire(socket);
  const peerId = await client.hello("worker", { capabilities: ["receipts"] });
  const acknowledged: string[] = [];
  const say = async (message: string): Promise<Frame> => {
    const reply = await client.publish(`worker.${peerId}.event`, { kind: "LOG", severity: "info", message });
    if (reply["ok"] === true) acknowledged.push(message);
    return reply;
  };
  return { say, acknowledged, peerId };
}

/** What those who read everything are told that workers said. */
async function readAll({ socket }: ForegroundDaemon): Promise<string[]> {
  const reader = await connectWire(socket);
  await reader.hello("observer");
  await reader.ask({ cmd: "subscribe", topic: "worker.*.event", fromCursor: "0000:0" });
  await expect.poll(() => reader.frames().some(({ push }) => push === "caught-up")).toBe(true);
  return reader.messages().map(({ payload }) => (payload as { data: { message: string } }).data.message);
}

const REFUSED = { ok: false, error: "event-log:write-failed" };

describe("a disk that is full", () => {
  test("refuses publishes, harms nothing, and serves again when there is space", async ({ skip }) => {
    const scene = createScene(skip);
    if (scene === undefined) return;
    const daemon = await scene.start("--tee");
    const { say, acknowledged } = await createSpeaker(daemon);
    await say("before");
    scene.disk.fill();
    const refused = await Promise.all(Array.from({ length: 20 }, () => say(LARGE)));
    expect(refused.filter(({ ok }) => ok === true)).toEqual([]);
    expect(refused[0]).toMatchObject(REFUSED);
    while ((await say("small"))["ok"] === true);
    expect(await readAll(daemon)).toEqual(acknowledged);
    scene.disk.free();
    expect(await say("after")).toMatchObject({ ok: true });
    await daemon.kill();
    const again = await scene.start("--tee");
    expect(await readAll(again)).toEqual(acknowledged);
    expect(readLogFiles(scene.disk.folder).map(({ sequence }) => sequence)).toEqual(
      readLogFiles(scene.disk.folder).map((_, index) => index + 1),
    );
    await again.stop();
    const copy = readFileSync(join(scene.disk.folder, ".claws", "events.jsonl"), "utf8");
    expect(jsonLines(copy)).toEqual(readLogFiles(scene.disk.folder));
  });

  test("that fills up while the daemon is killed lets none start, says why, and has lost nothing", async ({ skip }) => {
    const scene = createScene(skip);
    if (scene === undefined) return;
    const daemon = await scene.start();
    const { say, acknowledged } = await createSpeaker(daemon);
    await say("before");
    scene.disk.fill();
    while ((await say(LARGE))["ok"] === true);
    await daemon.kill();
    const { status, body } = scene.claw("up");
    expect([status, body["error"]]).toEqual([1, expect.objectContaining({ code: "DISK_FULL" })]);
    scene.disk.free();
    expect(await readAll(await scene.start())).toEqual(acknowledged);
  });

  test("does not keep a daemon from stopping in order, and takes nothing of what it knew along", async ({ skip }) => {
    const scene = createScene(skip);
    if (scene === undefined) return;
    const daemon = await scene.start();
    const { say, acknowledged } = await createSpeaker(daemon);
    const boss = await connectWire(daemon.socket);
    await boss.hello("orchestrator");
    const plan = { cmd: "lifecycle.plan", plan: "audit", workerMode: "single", expectedWorkers: 1 };
    expect(await boss.ask(plan)).toMatchObject({ ok: true });
    scene.disk.fill();
    while ((await say(LARGE))["ok"] === true);
    await daemon.stop();
    scene.disk.free();
    const again = await scene.start();
    expect(await readAll(again)).toEqual(acknowledged);
    const mission = await (await connectWire(again.socket)).ask({ cmd: "lifecycle.snapshot" });
    expect(mission["state"]).toMatchObject({ phase: "PLAN", plan: "audit" });
  });

  test("takes no acknowledgement of a durable subscription that it cannot keep", async ({ skip }) => {
    const scene = createScene(skip);
    if (scene === undefined) return;
    const daemon = await scene.start();
    const { say } = await createSpeaker(daemon);
    const subscribe = { cmd: "subscribe", topic: "worker.*.event", durable: "reader" };
    const attach = async (to: ForegroundDaemon): Promise<{ reader: WireClient; reply: Frame }> => {
      const reader = await connectWire(to.socket);
      await reader.hello("observer", { capabilities: ["durable"] });
      return { reader, reply: await reader.ask(subscribe) };
    };
    const { reader, reply } = await attach(daemon);
    for (const message of ["a", "b"]) await say(message);
    await expect.poll(() => reader.messages().length).toBe(2);
    const { subscriptionId } = reply;
    const [first, second] = reader.messages().map(({ cursor }) => cursor);
    const ack = (cursor: unknown) => reader.ask({ cmd: "ack", subscriptionId, cursor });
    expect(await ack(first)).toMatchObject({ ok: true });
    scene.disk.fill();
    for (let attempt = 0; attempt < 2; attempt += 1) {
      expect(await ack(second)).toMatchObject({ ok: false, error: "durable:write-failed" });
    }
    expect(await reader.ask({ ...subscribe, durable: "other" })).toMatchObject({ error: "durable:write-failed" });
    scene.disk.free();
    expect(await ack(second)).toMatchObject({ ok: true, ackedCursor: second });
    await daemon.kill();
    expect((await attach(await scene.start())).reply).toMatchObject({ ok: true, ackedCursor: second });
  });

  test("grants no token for one use that it cannot mark as used, and gives out no id twice", async ({ skip }) => {
    const scene = createScene(skip);
    if (scene === undefined) return;
    const daemon = await scene.start("--require-token");
    const tokens = openTokenStore(
      nodeFileSystem,
      stateFolder(scene.disk.folder, { HOME: scene.disk.folder }),
      Date.now,
    );
    const [first, second] = [tokens.mint({ role: "worker", once: true }), tokens.mint({ role: "worker", once: true })];
    const ids = new Set<unknown>();
    const hello = async (to: ForegroundDaemon, bearer: string): Promise<Frame> => {
      const reply = await (
        await connectWire(to.socket)
      ).ask({ cmd: "hello", protocol: "claws/2", role: "worker", bearer });
      if (reply["ok"] === true) ids.add(reply["peerId"]);
      return reply;
    };
    expect(await hello(daemon, first)).toMatchObject({ ok: true });
    scene.disk.fill();
    const reusable = tokens.mint({ role: "worker" });
    let refusals = 0;
    for (let attempt = 0; attempt < 70; attempt += 1) if ((await hello(daemon, reusable))["ok"] !== true) refusals += 1;
    expect(refusals).toBeGreaterThan(0);
    // Small files share a page with what is there already, so some uses may still be marked.
    const uses: Frame[] = [];
    do uses.push(await hello(daemon, tokens.mint({ role: "worker", once: true })));
    while (uses.at(-1)?.["ok"] === true);
    expect(uses.at(-1)).toMatchObject({ error: "storage:write-failed", code: "DISK_FULL" });
    scene.disk.free();
    expect(await hello(daemon, second)).toMatchObject({ ok: true });
    await daemon.kill();
    const again = await scene.start("--require-token");
    for (const used of [first, second]) expect(await hello(again, used)).toMatchObject({ error: "auth:invalid" });
    const before = ids.size;
    expect(await hello(again, reusable)).toMatchObject({ ok: true });
    expect(ids.size).toBe(before + 1);
  });
});

test("a disk that may only be read lets no daemon start, says why, and one that may be written does", async ({
  skip,
}) => {
  const scene = createScene(skip);
  if (scene === undefined) return;
  const daemon = await scene.start();
  const { say, acknowledged } = await createSpeaker(daemon);
  await say("before");
  expect(scene.disk.setReadOnly(true)).toBe(false);
  expect(await say("meanwhile")).toMatchObject({ ok: true });
  await daemon.kill();
  expect(scene.disk.setReadOnly(true)).toBe(true);
  const { status, body } = scene.claw("up");
  expect([status, body["error"]]).toEqual([1, expect.objectContaining({ code: "READ_ONLY_FILESYSTEM" })]);
  expect(scene.disk.setReadOnly(false)).toBe(true);
  expect(await readAll(await scene.start())).toEqual(acknowledged);
});
