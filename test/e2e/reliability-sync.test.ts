import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ForegroundOptions } from "../reliability/foreground-daemon.ts";
import { startForeground } from "../reliability/foreground-daemon.ts";
import type { SyncReport } from "../reliability/sync-order.ts";
import { readStrace, reportSyncs } from "../reliability/sync-order.ts";
import { connectWire } from "./daemon-process.ts";
import { createWorkspace } from "./workspace.ts";

const PRELOAD = fileURLToPath(new URL("../reliability/trace-order.cjs", import.meta.url));
const TOGETHER = 200;
const ALONE = 20;
const EVENTS = TOGETHER + ALONE;

interface Tracer {
  readonly options: (trace: string) => ForegroundOptions;
  readonly read: (text: string) => readonly string[];
}

const inProcess: Tracer = {
  options: (trace) => ({ nodeOptions: ["--require", PRELOAD], env: { TRACE_FILE: trace } }),
  read: (text) => text.split("\n"),
};

const CALLS = "trace=write,writev,pwrite64,pwritev,sendto,sendmsg,fsync,fdatasync";

const byKernel: Tracer = {
  options: (trace) => ({
    under: ["strace", "-f", "-y", "-s", "10000000", "-e", CALLS, "-o", trace],
    env: { UV_USE_IO_URING: "0" },
  }),
  read: readStrace,
};

/** Publishes many events at once and some one by one, with somebody watching, and says what the trace shows. */
async function trace({ options, read }: Tracer, durability: string): Promise<SyncReport> {
  const { cwd } = createWorkspace();
  const file = join(cwd, "trace");
  const daemon = await startForeground(cwd, { ...options(file), flags: [`--durability=${durability}`] });
  onTestFinished(() => daemon.kill());
  const [watcher, worker] = [await connectWire(daemon.socket), await connectWire(daemon.socket)];
  const peerId = await worker.hello("worker", { capabilities: ["receipts"] });
  const topic = `worker.${peerId}.event`;
  await watcher.hello("observer");
  await watcher.ask({ cmd: "subscribe", topic });
  const say = (message: string) => worker.publish(topic, { kind: "LOG", severity: "info", message });
  const answers = await Promise.all(Array.from({ length: TOGETHER }, (_, index) => say(`${index}`)));
  for (let index = 0; index < ALONE; index += 1) answers.push(await say(`alone ${index}`));
  expect(answers.filter(({ ok }) => ok !== true)).toEqual([]);
  await expect.poll(() => watcher.messages().length).toBe(EVENTS);
  await daemon.stop();
  return reportSyncs(read(readFileSync(file, "utf8")));
}

/** Why the kernel cannot be asked here; undefined when it can. */
function refusal(): string | undefined {
  const { status, error, stderr } = spawnSync("strace", ["-f", "-y", "-o", "/dev/null", "true"]);
  return status === 0 ? undefined : `strace does not work here: ${error?.message ?? String(stderr)}`;
}

const reason = refusal();

describe.each([
  ["the daemon's own calls", inProcess, undefined],
  [`the kernel${reason === undefined ? "" : ` (${reason})`}`, byKernel, reason],
] as const)("traced by %s", (_name, tracer, unavailable) => {
  test.skipIf(unavailable !== undefined)(
    "a strict daemon syncs between every append and its acknowledgement, and before anybody is sent it",
    async () => {
      expect(await trace(tracer, "strict")).toEqual({ acked: EVENTS, pushed: EVENTS, unsynced: [] });
    },
  );

  test.skipIf(unavailable !== undefined)("a relaxed daemon does not, and the trace shows it", async () => {
    const { unsynced, ...counts } = await trace(tracer, "relaxed");
    expect([counts, unsynced.length]).toEqual([{ acked: EVENTS, pushed: EVENTS }, 2 * EVENTS]);
  });
});
