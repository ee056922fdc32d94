import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nodeFileSystem } from "../../files/index.ts";
import { createFaultyFileSystem } from "../../files/testing/faulty-file-system.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { exchange, openIncoming } from "./incoming.ts";

const PARTS = ["durable", "log", "moments", "notify", "state"];
const PLAN = { cluster: "team", created: "today" };

/** A folder with files of its own, and a copy that is to take their place. */
function prepare(): { folder: string } {
  const folder = temporaryFolder(onTestFinished);
  openIncoming(nodeFileSystem, { folder }, PLAN);
  for (const part of PARTS) {
    writeFileSync(join(folder, "incoming", part, "file"), `new ${part}`);
    if (part === "moments") continue;
    mkdirSync(join(folder, part));
    writeFileSync(join(folder, part, "file"), `old ${part}`);
  }
  return { folder };
}

const textsIn = (folder: string): string[] => PARTS.map((part) => readFileSync(join(folder, part, "file"), "utf8"));

test("a copy takes the place of the folder's files, which stay aside, wherever the disk refuses a call", () => {
  let isDone = false;
  const codes = new Set<unknown>();
  for (let at = 0; !isDone; at += 1) {
    const { folder } = prepare();
    const { fs } = createFaultyFileSystem({ at, errno: "EIO" });
    try {
      exchange(fs, { folder }, "before-1");
      isDone = true;
    } catch (error) {
      codes.add((error as { code?: unknown }).code);
    }
    exchange(nodeFileSystem, { folder }, "before-1");
    expect(textsIn(folder)).toEqual(PARTS.map((part) => `new ${part}`));
    const aside = readdirSync(join(folder, "before-1")).toSorted();
    expect(aside).toEqual(PARTS.filter((part) => part !== "moments"));
    expect(aside.map((part) => readFileSync(join(folder, "before-1", part, "file"), "utf8"))).toEqual(
      aside.map((part) => `old ${part}`),
    );
    expect(existsSync(join(folder, "incoming"))).toBe(false);
  }
  expect([...codes]).toEqual(["FILESYSTEM_ERROR"]);
});

test("a copy of another stream is begun anew, and one of the same stream goes on", () => {
  const { folder } = prepare();
  openIncoming(nodeFileSystem, { folder }, PLAN);
  expect(readFileSync(join(folder, "incoming/log/file"), "utf8")).toBe("new log");
  openIncoming(nodeFileSystem, { folder }, { ...PLAN, created: "tomorrow" });
  expect(readdirSync(join(folder, "incoming/log"))).toEqual([]);
});
