import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { findHost, isOwnRecord, removeHostRecord, writeHostRecord } from "./host-record.ts";

/** A `.claws`, and what its record says after a change. */
function openFolder() {
  const folder = join(temporaryFolder(onTestFinished), ".claws");
  mkdirSync(folder, { mode: 0o700 });
  const path = join(folder, "terminals.json");
  const change = (fields: Record<string, unknown>): void =>
    writeFileSync(path, JSON.stringify({ ...(JSON.parse(readFileSync(path, "utf8")) as object), ...fields }));
  return { folder, path, change };
}

test("a host that runs is found by its record, with its token or without", () => {
  const { folder } = openFolder();
  expect(findHost(folder)).toBeUndefined();
  writeHostRecord(folder, "/s/t.sock", "/m/pty.js");
  expect(findHost(folder)).toMatchObject({
    pid: process.pid,
    socket: "/s/t.sock",
    loaded_from: "/m/pty.js",
    token: null,
  });
  expect(isOwnRecord(folder)).toBe(true);
});

test.each([
  ["another machine's", { host: "elsewhere" }],
  ["of a process that is gone", { pid: 2 ** 30 }],
  ["of a process that had the number before", { started: "1" }],
  ["without a socket", { socket: 1 }],
  ["without a process", { pid: "1" }],
])("a record %s is no host", (_, fields) => {
  const { folder, change } = openFolder();
  writeHostRecord(folder, "/s/t.sock", "/m/pty.js");
  change(fields);
  expect(findHost(folder)).toBeUndefined();
});

test.each(["", "null", '{"pid":', "[]"])("a file with %j is no record", (text) => {
  const { folder, path } = openFolder();
  writeFileSync(path, text);
  expect([findHost(folder), isOwnRecord(folder)]).toEqual([undefined, false]);
});

test("a link is no record, whatever it leads to", () => {
  const { folder, path } = openFolder();
  writeHostRecord(folder, "/s/t.sock", "/m/pty.js");
  renameSync(path, `${path}.moved`);
  symlinkSync(`${path}.moved`, path);
  expect(findHost(folder)).toBeUndefined();
});

test("a host removes its own record and no other", () => {
  const { folder, path, change } = openFolder();
  removeHostRecord(folder);
  writeHostRecord(folder, "/s/t.sock", "/m/pty.js");
  change({ pid: process.ppid });
  removeHostRecord(folder);
  expect([existsSync(path), isOwnRecord(folder)]).toEqual([true, false]);
  change({ pid: process.pid });
  removeHostRecord(folder);
  expect(existsSync(path)).toBe(false);
});
