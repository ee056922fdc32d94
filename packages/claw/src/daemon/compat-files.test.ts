import { readFileSync, readlinkSync, statSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "@claw/contract";
import { expect, onTestFinished, test } from "vitest";
import type { EventLog } from "../bus/index.ts";
import { openSegmentLog } from "../bus/index.ts";
import { nodeFileSystem } from "../files/index.ts";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import { openCompatFiles } from "./compat-files.ts";
import { openFolder } from "./own-folder.ts";
import { workspaceFiles } from "./workspace-files.ts";

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
  return { files, log, open: () => openCompatFiles(nodeFileSystem, { log, files, report }) };
}

const append = (log: EventLog, payload: string | undefined): Promise<number> =>
  new Promise((resolve, reject) => {
    const event = { topic: "note.x", from: "p_1", tsServer: "2026-01-02T03:04:05.678Z", payload };
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
