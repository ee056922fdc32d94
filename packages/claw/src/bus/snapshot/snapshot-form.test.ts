import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { startBus } from "../testing/bus-harness.ts";
import { unpackIds } from "../testing/unpack-ids.ts";
import type { IdRow } from "../publish/recent-ids.ts";
import { createMemoryLog } from "../log/index.ts";
import { bytesOf } from "./snapshot-bytes.ts";
import { captureState } from "./restore.ts";
import { printSnapshot, readSnapshot, SNAPSHOT_VERSION } from "./snapshot-text.ts";

const TOLD: readonly (readonly [topic: string, from: string, payload: unknown])[] = [
  ["system.peer.joined", "server", { peerId: "p_00000a", role: "worker", waveId: "w", subWorkerRole: "lead" }],
  ["system.peer.joined", "server", { peerId: "p_00000b", role: "orchestrator" }],
  ["wave.w.lead.boot", "server", { waveId: "w", manifest: ["lead"], layers: ["a"], peerId: "p_00000b" }],
  ["wave.w.joined", "server", { peerId: "p_00000a", peerName: "n", waveId: "w", subWorkerRole: "lead" }],
  ["task.assigned.p_00000a", "server", { taskId: "t_007", assignee: "p_00000a", assignedAt: 1, status: "pending" }],
  ["lifecycle.planned", "server", { plan: "x", worker_mode: "fleet", expected_workers: 2, ts: "t" }],
  ["lifecycle.monitor-intended", "server", { correlation_id: "c" }],
  ["pipeline.pipe_0003.created", "server", { pipelineId: "pipe_0003", steps: [], state: "active" }],
  ["system.command.accepted", "server", { idempotencyKey: "k", cmdTopic: "cmd.p_00000a.abort" }],
  ["cmd.p_00000a.abort", "p_00000b", {}],
  ["worker.other.phase", "p_00000a", { data: { phase: "PLAN", prev: null } }],
  ["worker.p_00000a.heartbeat", "p_00000a", { data: { cost_usd: 1.25 } }],
  ["system.budget.warning", "server", { threshold_usd: 1 }],
  ["worker.p_00000a.event", "p_00000a", { v: 1, id: "i", data: { kind: "LOG" }, ts_server: "t" }],
  ["system.peer.left", "server", { peerId: "p_00000b", role: "orchestrator", reason: "clean" }],
];

async function printOne(): Promise<string> {
  const log = createMemoryLog();
  for (const [topic, from, payload] of TOLD) {
    const event = { topic, from, tsServer: "2026-01-01T00:00:00.000Z", payload: JSON.stringify(payload) };
    log.append(event, { committed: () => undefined, failed: () => undefined });
  }
  await log.close();
  const { context } = await startBus({ log, now: () => 0, budget: { thresholdsUsd: [1] } });
  return [...printSnapshot(captureState(context))].join("");
}

const fixture = new URL(`testing/version-${SNAPSHOT_VERSION}.snapshot`, import.meta.url);

test("a snapshot of this version looks as it did: what looks otherwise is another version", async () => {
  const text = await printOne();
  if (process.env["UPDATE_FIXTURES"] !== undefined) writeFileSync(fixture, text);
  expect(text).toBe(readFileSync(fixture, "utf8"));
  expect(readSnapshot(bytesOf(Buffer.from(text))).kind).toBe("snapshot");
});

const readFixture = (version: number): ReturnType<typeof readSnapshot> =>
  readSnapshot(bytesOf(readFileSync(new URL(`testing/version-${version}.snapshot`, import.meta.url))));

test("a snapshot of version 6, with all states in one line, is read as one of this version", () => {
  const [six, now] = [readFixture(6), readFixture(SNAPSHOT_VERSION)].map((reading) =>
    reading.kind === "snapshot" ? { ...reading.snapshot, events: unpackIds(reading.snapshot.events) } : reading,
  );
  expect(six).toEqual(now);
  expect(Object.keys(now ?? {})).toContain("state");
});

const release = new URL("../../../../../test/fixtures/releases/0.1.0/workspace.json", import.meta.url);

test("a snapshot of claw 0.1.0 is read whole: retention may have removed its events from the log", () => {
  const files = JSON.parse(readFileSync(release, "utf8")) as Record<string, string>;
  const [, text = ""] = Object.entries(files).find(([path]) => path.endsWith(".snapshot")) ?? [];
  const [header = "", state = "", ...lines] = text.trimEnd().split("\n");
  const rows = lines.slice(0, -1).flatMap((line) => JSON.parse(line) as IdRow[]);
  // The fixture has other paths than the folder that it was made from, so it is sealed anew.
  const body = [header, state, ...lines.slice(0, -1), ""].join("\n");
  const seal = JSON.stringify({ sha256: createHash("sha256").update(body).digest("hex") });
  const reading = readSnapshot(bytesOf(Buffer.from(`${body}${seal}\n`)));
  const snapshot = reading.kind === "snapshot" ? reading.snapshot : undefined;
  expect(JSON.parse(header)).toEqual({ snapshot: 5, epoch: snapshot?.epoch, sequence: snapshot?.sequence });
  expect(snapshot?.state).toEqual(JSON.parse(state));
  expect(rows.length).toBeGreaterThan(10);
  expect(unpackIds(snapshot?.events ?? [])).toEqual(
    rows.map(([high, low, sequence, ...hashes]) => ({ key: { high, low }, sequence, hashes })),
  );
});
