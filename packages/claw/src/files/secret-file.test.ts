import { chmodSync, lstatSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nodeFileSystem } from "./file-system.ts";
import { openSecret, readSecret } from "./secret-file.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";

const unexpected = (problem: string): never => {
  throw new Error(problem);
};

const open = (path: string, report: (problem: string) => void = unexpected): string =>
  Buffer.from(openSecret(nodeFileSystem, path, report)).toString("hex");

const secretPath = (): string => join(temporaryFolder(onTestFinished), "state", "token.secret");

test("a secret is made once, for this user alone, and stays", () => {
  const path = secretPath();
  expect(readSecret(path)).toBeUndefined();
  const first = open(path);
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect([open(path), readFileSync(path, "utf8")]).toEqual([first, `${first}\n`]);
  expect([lstatSync(path).mode & 0o777, lstatSync(join(path, "..")).mode & 0o777]).toEqual([0o600, 0o700]);
});

test("a secret that another process made first counts", () => {
  const path = secretPath();
  const other = "ab".repeat(32);
  // The other process is quicker: its file is there when this one is put in place.
  const linkSync: typeof nodeFileSystem.linkSync = (from, to) => {
    writeFileSync(path, `${other}\n`, { mode: 0o600, flag: "wx" });
    nodeFileSystem.linkSync(from, to);
  };
  const made = openSecret({ ...nodeFileSystem, linkSync }, path, unexpected);
  expect([Buffer.from(made).toString("hex"), readFileSync(path, "utf8")]).toEqual([other, `${other}\n`]);
});

test.each([0o644, 0o640, 0o604, 0o620])("a secret with mode %o is replaced, and that is told", (mode) => {
  const path = secretPath();
  const first = open(path);
  chmodSync(path, mode);
  const told: string[] = [];
  const second = open(path, (problem) => told.push(problem));
  expect([second === first, told.length, lstatSync(path).mode & 0o777]).toEqual([false, 1, 0o600]);
});

test.each(["", "ab".repeat(31), "ab".repeat(33), "not hex at all"])("a file with %j holds no secret", (text) => {
  const path = secretPath();
  open(path);
  writeFileSync(path, text);
  expect(() => open(path)).toThrow("holds no secret");
});

test("what cannot be read is told as an error of that file", () => {
  const path = secretPath();
  open(path);
  const link = join(path, "..", "loop");
  symlinkSync(link, link);
  expect(() => open(link)).toThrow(expect.objectContaining({ code: "FILESYSTEM_ERROR" }) as Error);
});
