import { connect } from "node:net";
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
