import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startBus } from "../../../bus/testing/bus-harness.ts";
import type { EventLog } from "../../../bus/index.ts";
import { openSegmentLog } from "../../../bus/index.ts";
import { nodeFileSystem } from "../../../files/index.ts";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { openCounters } from "../persistent-counters.ts";
import { oldEpoch } from "./old-history.ts";
import { takeOverWorkspace } from "./take-over.ts";

const AT = "2026-04-27T12:00:00.123Z";

const line = (topic: string, n: number, more: object = {}): string =>
  `${JSON.stringify({ topic, from: "p_00001f", ts_server: AT, payload: { n }, sequence: n, ...more })}\n`;

const MISSION = {
  v: 3,
  phase: "OBSERVE",
  phases_completed: ["SESSION-BOOT", "PLAN", "SPAWN", "DEPLOY", "OBSERVE"],
  plan: "audit the server",
  worker_mode: "fleet",
  expected_workers: 2,
  spawned_workers: [{ id: "4", correlation_id: "c4", name: "w", spawned_at: AT, status: "spawned" }],
  monitors: [{ terminal_id: "4", correlation_id: "c4", command: "watch", armed_at: AT }],
  workers: [{ id: "4", closed: false }],
  mission_n: 3,
  session_started_at: AT,
  mission_started_at: AT,
  failure_cause: null,
};

/** A `.claws` folder as claws 0.8 leaves it. */
function oldFolder(): string {
  const folder = temporaryFolder(onTestFinished);
  const events = join(folder, "events", "default");
  mkdirSync(events, { recursive: true });
  const second = line("worker.7.event", 3) + line("not a topic", 4) + "torn";
  const delivery = line("cmd.p_000002.abort", 2, { from: undefined, peerId: "p_000001", schema: "cmd-deliver-v1" });
  writeFileSync(join(events, "0002-2026-04-27T13.jsonl"), second);
  writeFileSync(join(events, "0001-2026-04-27T12.jsonl"), line("worker.7.boot", 1) + delivery);
  writeFileSync(join(events, "0001-2026-04-27T12.idx"), "worker.7.boot\t0\n");
  writeFileSync(join(events, "manifest.json"), "{}");
  writeFileSync(join(folder, "lifecycle-state.json"), JSON.stringify(MISSION));
  return folder;
}

const told: string[] = [];

function open(folder: string) {
  const counters = openCounters(nodeFileSystem, join(folder, "counters.json"), (text) => void told.push(text));
  const log = openSegmentLog(nodeFileSystem, {
    directory: join(folder, "log"),
    durability: "relaxed",
    segmentBytes: 1e9,
    retainBytes: Infinity,
    retainMs: Infinity,
    epochs: { last: () => oldEpoch(folder), keep: () => undefined },
  });
  return { counters, log, take: () => takeOverWorkspace({ folder, log, counters, now: () => Date.parse(AT) }) };
}

const eventsIn = async (log: EventLog): Promise<unknown[]> =>
  (await log.read(0)).events.map(({ topic, from, tsServer, payload }) => [topic, from, tsServer, payload]);

const HISTORY = [
  ["worker.7.boot", "p_00001f", AT, '{"n":1}'],
  ["cmd.p_000002.abort", "p_000001", AT, '{"n":2}'],
  ["worker.7.event", "p_00001f", AT, '{"n":3}'],
];

test("history, mission and numbers of claws 0.8 go on; the old files stay", async () => {
  const folder = oldFolder();
  const before = readFileSync(join(folder, "events", "default", "0002-2026-04-27T13.jsonl"), "utf8");
  const { log, counters, take } = open(folder);
  expect(await take()).toEqual({ events: 3, mission: "audit the server", from: folder });
  expect((await eventsIn(log)).slice(0, 3)).toEqual(HISTORY);
  expect([log.epoch, log.head()]).toEqual(["0003", 4]);
  expect(counters.next("peer")).toBeGreaterThan(0x1f);
  const { context } = await startBus({ log, now: () => Date.parse(AT), report: (text) => void told.push(text) });
  expect(context.state.lifecycle.state()).toEqual({
    ...MISSION,
    spawned_workers: [{ ...MISSION.spawned_workers[0], status: "closed" }],
    monitors: [],
    workers: [{ id: "4", closed: true }],
  });
  expect(readFileSync(join(folder, "events", "default", "0002-2026-04-27T13.jsonl"), "utf8")).toBe(before);
  await log.close();
  expect(await open(folder).take()).toBeUndefined();
});

test.each([0, 1, 2, 3, 4])("one that was killed after %i events is gone on with", async (count) => {
  const folder = oldFolder();
  const whole = open(folder);
  await whole.take();
  const all = await whole.log.read(0);
  await whole.log.close();
  const second = oldFolder();
  const { log, counters, take } = open(second);
  counters.keep("takeover", 1);
  for (const event of all.events.slice(0, count)) {
    await new Promise((resolve, reject) => log.append(event, { committed: resolve, failed: reject }));
  }
  expect(await take()).toMatchObject({ events: 3, mission: "audit the server" });
  expect(await eventsIn(log)).toEqual(
    all.events.map(({ topic, from, tsServer, payload }) => [topic, from, tsServer, payload]),
  );
});

test("nothing is taken where there is nothing, where the log has begun, or from a link", async () => {
  expect(await open(temporaryFolder(onTestFinished)).take()).toBeUndefined();
  const begun = open(oldFolder());
  await new Promise((resolve, reject) =>
    begun.log.append(
      { topic: "note.x", from: "p_1", tsServer: AT, payload: "1" },
      { committed: resolve, failed: reject },
    ),
  );
  expect(await begun.take()).toBeUndefined();
  const linked = temporaryFolder(onTestFinished);
  mkdirSync(join(linked, "events"));
  symlinkSync(join(oldFolder(), "events", "default"), join(linked, "events", "default"));
  expect(await open(linked).take()).toBeUndefined();
  expect(readdirSync(linked)).not.toContain("lifecycle-state.json");
});

test.each([
  "",
  "{",
  "null",
  '{"v":2}',
  '{"v":3,"phase":"DANCE"}',
  JSON.stringify({ ...MISSION, spawned_workers: [1] }),
])("a mission that makes no sense is left where it is: %s", async (text) => {
  const folder = oldFolder();
  writeFileSync(join(folder, "lifecycle-state.json"), text);
  expect(await open(folder).take()).toMatchObject({ events: 3, mission: null });
});
