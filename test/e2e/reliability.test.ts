import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { runCrashRounds } from "../reliability/crash-rounds.ts";
import { lossesOf } from "../reliability/losses.ts";
import { chooseSeed } from "../reliability/random.ts";
import { startForeground } from "../reliability/foreground-daemon.ts";
import { connectWire } from "./daemon-process.ts";
import { createWorkspace } from "./workspace.ts";

test.each(["strict", "relaxed"] as const)(
  "twenty clients of a %s daemon that is killed again and again see one sequence, and nothing acknowledged is missing",
  async (durability) => {
    const { cwd } = createWorkspace();
    const plan = { folder: cwd, seed: chooseSeed(), clients: 20, rounds: 4, eventsPerRound: 10, durability };
    expect(lossesOf(await runCrashRounds(plan), plan), `CLAW_SEED=${plan.seed}`).toEqual([]);
  },
);

const logEntry = (message: string) => ({ kind: "LOG", severity: "info", message });

const SMALL_DISK = "size=2m,mode=700";

/** Mounts a small disk that goes away with the test; says why when it cannot. */
function mountSmallDisk(folder: string): string | undefined {
  mkdirSync(folder);
  const { status, stderr, error } = spawnSync("mount", ["-t", "tmpfs", "-o", SMALL_DISK, "tmpfs", folder]);
  if (status !== 0) return `no small disk can be mounted here: ${error?.message ?? String(stderr).trim()}`;
  onTestFinished(() => void spawnSync("umount", ["--lazy", folder]));
  return undefined;
}

test("a full disk refuses publishes, harms nothing, and service resumes when there is space again", async ({
  skip,
}) => {
  const { cwd } = createWorkspace();
  const folder = join(cwd, "disk");
  const reason = mountSmallDisk(folder);
  if (reason !== undefined) return skip(reason);
  const daemon = await startForeground(folder);
  onTestFinished(() => daemon.kill());
  const worker = await connectWire(daemon.socket);
  const peerId = await worker.hello("worker", { capabilities: ["receipts"] });
  const say = (text: string) => worker.publish(`worker.${peerId}.event`, logEntry(text));
  expect(await say("before")).toMatchObject({ ok: true });
  const filler = join(folder, "filler");
  const { status } = spawnSync("dd", ["if=/dev/zero", `of=${filler}`, "bs=4096"]);
  expect(status).not.toBe(0);
  const refused = await say("x".repeat(8192));
  expect(refused).toMatchObject({ ok: false, error: "event-log:write-failed" });
  rmSync(filler);
  expect(await say("after")).toMatchObject({ ok: true });
  await daemon.kill();
  const again = await startForeground(folder);
  onTestFinished(() => again.kill());
  const reader = await connectWire(again.socket);
  await reader.hello("observer");
  await reader.ask({ cmd: "subscribe", topic: "worker.*.event", fromCursor: "0000:0" });
  await expect.poll(() => reader.frames().some(({ push }) => push === "caught-up")).toBe(true);
  const messages = reader.messages().map(({ payload }) => (payload as { data: { message: string } }).data.message);
  expect(messages).toEqual(["before", "after"]);
});

/** Frames that begin well and go wrong anywhere. */
const frame = fc.oneof(
  fc.json().map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc
    .record({
      id: fc.anything(),
      cmd: fc.constantFrom("hello", "publish", "subscribe", "ack", "peers", "task.assign", "rpc.call", "wave.create"),
      protocol: fc.constantFrom("claws/1", "claws/2", "claws/9"),
      topic: fc.oneof(fc.string(), fc.constantFrom("worker.p_000001.event", "cmd.**", "system.peer.joined")),
      role: fc.constantFrom("worker", "observer", "orchestrator", ""),
      payload: fc.jsonValue(),
      fromCursor: fc.oneof(fc.string(), fc.constantFrom("0000:0", "0001:999999", "9999:1")),
    })
    .map((fields) =>
      Buffer.from(JSON.stringify(fields, (_, value: unknown) => (typeof value === "bigint" ? 0 : value))),
    ),
);

function throwAt(path: string, frames: readonly Buffer[]): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.on("error", () => socket.destroy()).on("close", () => resolve());
    socket.resume();
    for (const bytes of frames) socket.write(Buffer.concat([bytes, Buffer.from("\n")]));
    socket.end();
  });
}

test("whatever is thrown at the daemon, it goes on serving others", async () => {
  const { cwd } = createWorkspace();
  const daemon = await startForeground(cwd, { flags: ["--durability=relaxed"] });
  onTestFinished(() => daemon.kill());
  const witness = await connectWire(daemon.socket);
  const peerId = await witness.hello("worker", { peerName: "witness" });
  await fc.assert(
    fc.asyncProperty(fc.array(frame, { maxLength: 20 }), async (frames) => {
      await throwAt(daemon.socket, frames);
      expect(await witness.publish(`worker.${peerId}.event`, logEntry("still here"))).toMatchObject({ ok: true });
    }),
    { numRuns: 100 },
  );
});
