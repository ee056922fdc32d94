import { chownSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { stateFolder } from "../../files/index.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { identifySelf } from "../../process/index.ts";
import { findDaemon } from "./daemon-record.ts";

const RECORD = {
  ...identifySelf(),
  socket: "/tmp/x.sock",
  http: null,
  token: null,
  durability: "strict",
  policy: "strict",
  started_at: "2026-01-01T00:00:00.000Z",
};

function put(record: unknown): string {
  const cwd = temporaryFolder(onTestFinished);
  mkdirSync(join(cwd, ".claws"));
  writeFileSync(join(cwd, ".claws", "daemon.json"), typeof record === "string" ? record : JSON.stringify(record));
  return cwd;
}

describe("a daemon is found", () => {
  test("by the record of a process that runs", () => {
    expect(findDaemon(put(RECORD))).toEqual(RECORD);
  });

  test("with its token at the place of its folder, whatever file the record names", () => {
    const cwd = put({ ...RECORD, token: "/etc/passwd" });
    expect(findDaemon(cwd)?.token).toBe(join(stateFolder(cwd), "orchestrator.token"));
  });
});

describe("no daemon is found", () => {
  test.each([
    ["half a record", '{"pid":'],
    ["nothing", ""],
    ["null", "null"],
    ["a list", "[]"],
    ["a pid that is none", { ...RECORD, pid: "1" }],
    ["a socket that is none", { ...RECORD, socket: 7 }],
    ["a process that is gone", { ...RECORD, started: "1" }],
    ["another run of the system", { ...RECORD, boot: "00000000" }],
    ["another machine", { ...RECORD, host: "elsewhere" }],
    ["a process without its start", { ...RECORD, started: null }],
    ["a process without its system", { ...RECORD, boot: null }],
    ["a process that says neither", { pid: process.pid, host: RECORD.host, socket: "/tmp/x" }],
  ])("in a record with %s", (_what, record) => {
    expect(findDaemon(put(record))).toBeUndefined();
  });

  test("behind a link", () => {
    const cwd = put(RECORD);
    const path = join(cwd, ".claws", "daemon.json");
    renameSync(path, `${path}.real`);
    symlinkSync(`${path}.real`, path);
    expect(findDaemon(cwd)).toBeUndefined();
    const other = put(RECORD);
    renameSync(join(other, ".claws"), join(other, "real"));
    symlinkSync(join(other, "real"), join(other, ".claws"));
    expect(findDaemon(other)).toBeUndefined();
  });

  test.skipIf(process.getuid?.() !== 0)("in a record or a folder of another user", () => {
    for (const name of [".claws", ".claws/daemon.json"]) {
      const cwd = put(RECORD);
      chownSync(join(cwd, name), 65_534, 65_534);
      expect(findDaemon(cwd)).toBeUndefined();
    }
  });
});
