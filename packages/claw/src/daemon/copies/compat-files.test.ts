import { readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test, vi } from "vitest";
import { jsonLines } from "../../process/testing/json-lines.ts";
import type { EventLog } from "../../bus/index.ts";
import { openSegmentLog } from "../../bus/index.ts";
import { nodeFileSystem } from "../../files/index.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { openCompatFiles } from "./compat-files.ts";
import { openFolder } from "../process/own-folder.ts";
import { workspaceFiles } from "../process/workspace-files.ts";

function scene() {
  const files = workspaceFiles(temporaryFolder(onTestFinished));
  openFolder(files);
  const log = openSegmentLog(nodeFileSystem, {
    directory: files.log,
    durability: "relaxed",
    segmentBytes: 1e9,
    retainBytes: Infinity,
    retainMs: Infinity,
  });
  const report = (problem: string): void => {
    throw new Error(problem);
  };
  /** Where those who are connected began to follow everything. */
  const following = new Map<string, number | null>();
  const followsAfter = (peerId: string): number | null | undefined => following.get(peerId);
  const linesOf = (): { topic: string; sequence?: number }[] =>
    jsonLines<{ topic: string; sequence?: number }>(readFileSync(join(files.folder, "events.log"), "utf8"));
  const open = () => openCompatFiles(nodeFileSystem, { log, files, report, followsAfter });
  return { files, log, following, linesOf, open };
}

const append = (log: EventLog, payload: string | undefined, [topic, from] = ["note.x", "p_1"]): Promise<number> =>
  new Promise((resolve, reject) => {
    const event = { topic, from, tsServer: "2026-01-02T03:04:05.678Z", payload };
    log.append(event, { committed: resolve, failed: reject });
  });

test("older tools find the log where it was, and events as the sidecar wrote them", async () => {
  const { files, log, open } = scene();
  const copy = open();
  await append(log, '{"correlation_id":"c"}');
  await append(log, undefined);
  await copy.close();
  const again = open();
  await append(log, "3");
  await again.close();
  const lines = readFileSync(join(files.folder, "events.log"), "utf8").trimEnd().split("\n");
  const common = {
    type: "event",
    push: "message",
    protocol: "claws/2",
    topic: "note.x",
    from: "p_1",
    sentAt: Date.parse("2026-01-02T03:04:05.678Z"),
    recvTs: "2026-01-02T03:04:05.678Z",
  };
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    { ...common, payload: { correlation_id: "c" }, sequence: 1 },
    { ...common, sequence: 2 },
    { ...common, payload: 3, sequence: 3 },
  ]);
  expect(readlinkSync(join(files.folder, "events", "default"))).toBe("../log");
  expect(readFileSync(join(files.folder, "events", "default", "000000000001.jsonl"), "utf8").split("\n")).toHaveLength(
    4,
  );
});

test("the last events do not grow without end", async () => {
  const { files, log, open } = scene();
  const copy = open();
  const payload = JSON.stringify("x".repeat(512 * 1024));
  for (let sent = 0; sent < 2.5 * LIMITS.sidecarLogBytes; sent += payload.length) await append(log, payload);
  await copy.close();
  for (const name of ["events.log", "events.log.1"]) {
    expect(statSync(join(files.folder, name)).size).toBeLessThan(LIMITS.sidecarLogBytes + 2 * payload.length);
  }
});

const SIDECAR = { peerId: "p_9", peerName: "orchestrator-stream", role: "observer" };

const tell = (log: EventLog, action: string, payload: object = SIDECAR): Promise<number> =>
  append(log, JSON.stringify(payload), [`system.peer.${action}`, "server"]);

test("no event stands there twice while an older sidecar writes them too", async () => {
  const { files, log, following, linesOf, open } = scene();
  const copy = open();
  const copied = (sequence: number): Promise<void> => {
    copy.wake();
    return vi.waitFor(() => expect(readFileSync(`${files.sidecarLog}.position`, "utf8")).toBe(`${sequence}\n`), 60_000);
  };
  following.set("p_9", null);
  await tell(log, "joined");
  await append(log, "1");
  await copied(2);
  following.set("p_9", log.head());
  await append(log, "2");
  await append(log, "3");
  await copied(4);
  copy.note({ topic: "system.terminal.1.alive", payload: { terminal_id: "1" }, sentAt: 5 });
  following.delete("p_9");
  await tell(log, "left");
  await append(log, "4");
  await copy.close();
  expect(linesOf().map(({ sequence }) => sequence)).toEqual([1, 2, 5, 6]);
});

test("another observer, or the same name in another role, writes nothing there", async () => {
  const { log, following, linesOf, open } = scene();
  const copy = open();
  for (const other of [{ peerName: "watch" }, { role: "orchestrator" }]) {
    await tell(log, "joined", { ...SIDECAR, ...other });
  }
  following.set("p_9", 0);
  await append(log, "1");
  await copy.close();
  expect(linesOf()).toHaveLength(3);
});

test("a sidecar of an earlier run is gone with it", async () => {
  const { log, linesOf, open } = scene();
  await open().close();
  await tell(log, "joined");
  await append(log, "1");
  const copy = open();
  await append(log, "2");
  await copy.close();
  expect(linesOf().map(({ sequence }) => sequence)).toEqual([1, 3]);
});

test("what is pushed and not stored stands there for monitors that read it, and costs no place", async () => {
  const { log, linesOf, open } = scene();
  const copy = open();
  await append(log, "1");
  copy.note({ topic: "system.terminal.7.alive", payload: { terminal_id: "7" }, sentAt: 5 });
  await copy.close();
  const again = open();
  await append(log, "2");
  await again.close();
  expect(linesOf()).toMatchObject([
    { sequence: 1 },
    { type: "event", topic: "system.terminal.7.alive", payload: { terminal_id: "7" }, sentAt: 5 },
    { sequence: 2 },
  ]);
});
