import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { acquireLock, nodeFileSystem } from "../../files/index.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { createOwnFileSystem } from "./own-file-system.ts";
import { openFolder } from "./own-folder.ts";
import type { DaemonFiles } from "./place.ts";
import { openPlace } from "./place.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";
import { workspaceFiles } from "./workspace-files.ts";

interface Scene {
  readonly files: WorkspaceFiles;
  readonly socket: string;
  readonly place: DaemonFiles;
  /** What the place told to be gone. */
  readonly told: Promise<string>;
}

/** A place with everything a daemon puts there. */
async function scene(): Promise<Scene> {
  const cwd = temporaryFolder(onTestFinished);
  const files = workspaceFiles(cwd);
  const socket = join(cwd, "elsewhere", "x.sock");
  mkdirSync(join(cwd, "elsewhere"));
  openFolder(files);
  await acquireLock(nodeFileSystem, { path: files.lock, waitMs: 0 }, new AbortController().signal);
  const place = openPlace(files, socket);
  onTestFinished(() => place.close());
  writeFileSync(files.record, JSON.stringify({ pid: process.pid, socket }));
  writeFileSync(socket, "");
  writeFileSync(join(files.log, "000000000001.jsonl"), "");
  const told = new Promise<string>((resolve, reject) => {
    place.follow(resolve, (problem) => reject(new Error(problem)));
  });
  return { files, socket, place, told };
}

const copyOver = (path: string): void => {
  writeFileSync(`${path}.new`, "another");
  renameSync(`${path}.new`, path);
};

describe("the place of a daemon", () => {
  test("is whole while everything is as it was, whatever else comes and goes", async () => {
    const { files, place } = await scene();
    writeFileSync(join(files.folder, "counters.json"), "{}");
    rmSync(join(files.folder, "counters.json"));
    expect([place.missing(), place.isOwn()]).toEqual([undefined, true]);
  });

  test("has to be looked at from time to time where the system cannot tell of it, and only there", async () => {
    const { files, place } = await scene();
    expect(place.lookAgainMs()).toBe(Infinity);
    const deaf = openPlace(files, join(files.folder, "nowhere", "x.sock"));
    onTestFinished(() => deaf.close());
    const problems: string[] = [];
    deaf.follow(
      () => undefined,
      (problem) => void problems.push(problem),
    );
    expect([problems.length, deaf.lookAgainMs()]).toEqual([1, LIMITS.placeLookMs]);
  });

  test.each<[string, (scene: Scene) => void, (scene: Scene) => string]>([
    ["its folder is removed", ({ files }) => rmSync(files.folder, { recursive: true }), ({ files }) => files.folder],
    ["its folder is moved", ({ files }) => renameSync(files.folder, `${files.folder}.x`), ({ files }) => files.folder],
    ["its socket is removed", ({ socket }) => rmSync(socket), ({ socket }) => socket],
    ["its socket is replaced", ({ socket }) => copyOver(socket), ({ socket }) => socket],
    ["its record is removed", ({ files }) => rmSync(files.record), ({ files }) => files.record],
    ["its record is replaced", ({ files }) => copyOver(files.record), ({ files }) => files.record],
    ["its lock is removed", ({ files }) => rmSync(files.lock, { recursive: true }), ({ files }) => files.lock],
    ["its log is removed", ({ files }) => rmSync(files.log, { recursive: true }), ({ files }) => files.log],
  ])("tells at once when %s", async (_what, change, missing) => {
    const started = await scene();
    change(started);
    // Of a folder, its files go first.
    const what = await started.told;
    expect([missing(started), started.files.folder].some((path) => what.startsWith(path))).toBe(true);
    expect(started.place.missing()).toBe(missing(started));
  });

  test("is lost when another folder has its path, and nothing is made or removed there any more", async () => {
    const { files, place } = await scene();
    const fs = createOwnFileSystem(nodeFileSystem, () => place.isOwn());
    const path = join(files.folder, "counters.json");
    fs.closeSync(fs.openSync(path, "w"));
    rmSync(files.folder, { recursive: true });
    mkdirSync(files.folder);
    writeFileSync(path, "theirs");
    expect([place.isOwn(), place.missing()]).toEqual([false, files.folder]);
    const stale = expect.objectContaining({ code: "ESTALE" });
    expect(() => fs.openSync(path, "w")).toThrow(stale);
    expect(() => fs.unlinkSync(path)).toThrow(stale);
    expect(() => fs.renameSync(path, `${path}.x`)).toThrow(stale);
    expect(() => fs.mkdirSync(`${path}.d`)).toThrow(stale);
  });

  test("is lost when the log's files are gone, as soon as anybody asks", async () => {
    const { files, place } = await scene();
    rmSync(join(files.log, "000000000001.jsonl"));
    expect(place.missing()).toBe(files.log);
  });
});
