import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { nodeFileSystem as fs } from "../files/index.ts";
import { createFaultyFileSystem } from "../files/testing/faulty-file-system.ts";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import { removeSession } from "./remove-session.ts";
import { findSessionFile, listSessionFiles } from "./session-files.ts";

function put(folder: string, name: string, seconds = 1000): string {
  const path = join(folder, name);
  writeFileSync(path, name);
  utimesSync(path, seconds, seconds);
  return path;
}

describe("a listing", () => {
  test("has the newest first and, of the same moment, the later id first", () => {
    const folder = temporaryFolder(onTestFinished);
    for (const [id, seconds] of [
      ["b", 1000],
      ["old", 500],
      ["a", 1000],
      ["new", 2000.5],
    ] as const) {
      put(folder, `${id}.jsonl`, seconds);
    }
    const entry = (id: string, modifiedMs: number) => {
      const name = `${id}.jsonl`;
      return { id, path: join(folder, name), modifiedMs, size: name.length };
    };
    expect(listSessionFiles(fs, folder)).toEqual({
      entries: [entry("new", 2_000_500), entry("b", 1_000_000), entry("a", 1_000_000), entry("old", 500_000)],
      ignored: [],
    });
  });

  test("names what looks like a session and is none, and passes over the rest", () => {
    const folder = temporaryFolder(onTestFinished);
    const path = put(folder, "good.jsonl");
    const others = ["good.lock", "good.jsonl.torn-5", "notes.txt", "bad name.jsonl", "latest.jsonl", ".jsonl"];
    for (const name of others) put(folder, name);
    mkdirSync(join(folder, "folder.jsonl"));
    symlinkSync(path, join(folder, "link.jsonl"));
    const { entries, ignored } = listSessionFiles(fs, folder);
    expect([entries.map((entry) => entry.id), ignored.toSorted()]).toEqual([
      ["good"],
      [".jsonl", "bad name.jsonl", "folder.jsonl", "latest.jsonl", "link.jsonl"],
    ]);
  });

  test("of a folder that is not there is empty, and of what is no folder an error", () => {
    const folder = temporaryFolder(onTestFinished);
    expect(listSessionFiles(fs, join(folder, "none"))).toEqual({ entries: [], ignored: [] });
    const file = put(folder, "file");
    expect(() => listSessionFiles(fs, file)).toThrow(expect.objectContaining({ code: "FILESYSTEM_ERROR" }));
  });

  test("of a disk that fails is a row of the catalogue", () => {
    const folder = temporaryFolder(onTestFinished);
    put(folder, "a.jsonl");
    for (const at of [0, 1]) {
      const { fs: faulty } = createFaultyFileSystem({ at, errno: "EACCES" });
      expect(() => listSessionFiles(faulty, folder)).toThrow(expect.objectContaining({ code: "FILE_ACCESS_DENIED" }));
    }
  });
});

describe("one session", () => {
  test("is found by its id", () => {
    const folder = temporaryFolder(onTestFinished);
    const path = put(folder, "a.jsonl");
    expect(findSessionFile(fs, folder, "a")).toEqual({ id: "a", path, modifiedMs: 1_000_000, size: 7 });
  });

  test.each(["find", "remove"])("that is something else is refused by %s", (act) => {
    const folder = temporaryFolder(onTestFinished);
    mkdirSync(join(folder, "folder.jsonl"));
    symlinkSync("/nowhere", join(folder, "link.jsonl"));
    const run = (id: string) => () => (act === "find" ? findSessionFile : removeSession)(fs, folder, id);
    expect(run("none")).toThrow(expect.objectContaining({ code: "SESSION_NOT_FOUND", target: "none" }));
    expect(run("folder")).toThrow(expect.objectContaining({ code: "SESSION_PATH_IS_DIRECTORY" }));
    expect(run("link")).toThrow(expect.objectContaining({ code: "SESSION_UNREADABLE" }));
  });

  test("is removed for good", () => {
    const folder = temporaryFolder(onTestFinished);
    put(folder, "a.jsonl");
    put(folder, "b.jsonl");
    removeSession(fs, folder, "a");
    expect(listSessionFiles(fs, folder).entries.map((entry) => entry.id)).toEqual(["b"]);
  });

  test("that cannot be removed stays, and it says why", () => {
    const folder = temporaryFolder(onTestFinished);
    put(folder, "a.jsonl");
    const { fs: faulty } = createFaultyFileSystem({ at: 1, errno: "EACCES" });
    expect(() => removeSession(faulty, folder, "a")).toThrow(
      expect.objectContaining({
        code: "SESSION_DELETE_FAILED",
        options: expect.objectContaining({ details: { errno: "EACCES" } }),
      }),
    );
    expect(listSessionFiles(fs, folder).entries.map((entry) => entry.id)).toEqual(["a"]);
  });
});
