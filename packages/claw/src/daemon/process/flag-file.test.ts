import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { identifySelf } from "../../process/index.ts";
import type { DaemonRecord } from "./daemon-record.ts";
import { beginReplacement, endReplacement, flagsOfDaemon, unfinishedReplacement } from "./flag-file.ts";
import { workspaceFiles } from "./workspace-files.ts";

const RECORD: DaemonRecord = {
  ...identifySelf(),
  socket: "/tmp/x.sock",
  http: null,
  token: null,
  durability: "strict",
  policy: "strict",
  started_at: "2026-01-01T00:00:00.000Z",
  version: "0.2.0",
  flags: { http: "0.0.0.0:80", insecure: true },
};

test("flags of a replacement are kept in private until they are forgotten, which may happen twice", () => {
  const cwd = temporaryFolder(onTestFinished);
  const { replacement } = workspaceFiles(cwd);
  expect(unfinishedReplacement(cwd)).toBeUndefined();
  beginReplacement(cwd, { tee: true });
  expect(unfinishedReplacement(cwd)).toEqual({ tee: true });
  expect(statSync(replacement).mode & 0o777).toBe(0o600);
  expect(readdirSync(cwd)).toEqual([".claws"]);
  endReplacement(cwd);
  endReplacement(cwd);
  expect(existsSync(replacement)).toBe(false);
});

test.each(["", "{", "[]", '{"flags":null}', '{"flags":7}'])("a file that holds %j names no flags", (text) => {
  const cwd = temporaryFolder(onTestFinished);
  beginReplacement(cwd, {});
  writeFileSync(workspaceFiles(cwd).replacement, text);
  expect(unfinishedReplacement(cwd)).toBeUndefined();
});

test("the flags of a daemon come from its private folder, not from the workspace", () => {
  const cwd = temporaryFolder(onTestFinished);
  beginReplacement(cwd, {});
  writeFileSync(workspaceFiles(cwd).owner, '{"flags":{"tee":true}}', { mode: 0o600 });
  expect(flagsOfDaemon(cwd, RECORD)).toEqual({ tee: true });
  const { version: _new, ...older } = RECORD;
  expect(flagsOfDaemon(cwd, older)).toEqual({ http: "0.0.0.0:80", insecure: true });
});
