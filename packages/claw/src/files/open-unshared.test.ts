import {
  closeSync,
  constants,
  linkSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { nodeFileSystem } from "./file-system.ts";
import { openUnshared } from "./open-unshared.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";
import { writeAllBytes } from "./write-file.ts";

const APPEND = constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;

function append(path: string, text: string): void {
  const fd = openUnshared(nodeFileSystem, path, APPEND);
  writeAllBytes(nodeFileSystem, fd, Buffer.from(text));
  closeSync(fd);
}

test("a file with a second name is replaced by a copy, and the other name keeps what it had", () => {
  const root = temporaryFolder(onTestFinished);
  const [own, other] = [join(root, "own"), join(root, "other")];
  const before = Buffer.concat([Buffer.alloc(200_000, "ü"), Buffer.from([0xff, 0x00, 0x0a])]);
  writeFileSync(other, before);
  linkSync(other, own);
  append(own, "added\n");
  expect(readFileSync(own).equals(Buffer.concat([before, Buffer.from("added\n")]))).toBe(true);
  expect(readFileSync(other).equals(before)).toBe(true);
  expect([statSync(own).nlink, statSync(own).mode & 0o777]).toEqual([1, 0o600]);
  expect(readdirSync(root).toSorted()).toEqual(["other", "own"]);
});

test("a file with one name stays the file it is, and one that is not there is made", () => {
  const path = join(temporaryFolder(onTestFinished), "own");
  append(path, "one\n");
  const { ino } = statSync(path);
  append(path, "two\n");
  expect([readFileSync(path, "utf8"), statSync(path).ino]).toEqual(["one\ntwo\n", ino]);
});

test("a link is not followed, and what is no file is left alone", () => {
  const root = temporaryFolder(onTestFinished);
  writeFileSync(join(root, "file"), "");
  symlinkSync("file", join(root, "link"));
  expect(() => append(join(root, "link"), "x")).toThrow(expect.objectContaining({ code: "ELOOP" }));
  closeSync(openUnshared(nodeFileSystem, root, constants.O_RDONLY));
});
