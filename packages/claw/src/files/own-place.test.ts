import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
  closeSync,
  constants,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  appendToOwn,
  clawFolder,
  hideFromGit,
  isForeign,
  openOwnFolder,
  requireOwn,
  openUnshared,
} from "./own-place.ts";
import { temporaryFolder } from "./testing/temporary-folder.ts";
import { nodeFileSystem } from "./file-system.ts";
import { writeAllBytes } from "./write-file.ts";

test("makes a private folder, and takes one that is there", () => {
  const path = join(temporaryFolder(onTestFinished), "own");
  openOwnFolder(path);
  openOwnFolder(path);
  expect(statSync(path).mode & 0o777).toBe(0o700);
});

test("takes neither a link to a folder nor a file for a folder", () => {
  const root = temporaryFolder(onTestFinished);
  mkdirSync(join(root, "elsewhere"));
  symlinkSync("elsewhere", join(root, "link"));
  symlinkSync("nowhere", join(root, "loose"));
  writeFileSync(join(root, "file"), "");
  for (const name of ["link", "loose", "file"]) {
    expect(() => openOwnFolder(join(root, name))).toThrow(expect.objectContaining({ code: "FILESYSTEM_ERROR" }));
  }
  expect(existsSync(join(root, "nowhere"))).toBe(false);
});

test("adds to a file, and to nothing that a link leads to", () => {
  const root = temporaryFolder(onTestFinished);
  const log = join(root, "log");
  appendToOwn(log, "one\n");
  appendToOwn(log, "two\n");
  expect([readFileSync(log, "utf8"), statSync(log).mode & 0o777]).toEqual(["one\ntwo\n", 0o600]);
  symlinkSync("log", join(root, "link"));
  symlinkSync("nowhere", join(root, "loose"));
  for (const name of ["link", "loose"]) {
    expect(() => appendToOwn(join(root, name), "x")).toThrow(expect.objectContaining({ code: "FILESYSTEM_ERROR" }));
  }
  expect([readFileSync(log, "utf8"), existsSync(join(root, "nowhere"))]).toEqual(["one\ntwo\n", false]);
  const before = readdirSync("/proc/self/fd").length;
  appendToOwn(log, "three\n");
  expect(readdirSync("/proc/self/fd")).toHaveLength(before);
});

test("adds to a file with a second hard link only under the name it was given", () => {
  const root = temporaryFolder(onTestFinished);
  writeFileSync(join(root, "other"), "before\n");
  linkSync(join(root, "other"), join(root, "log"));
  appendToOwn(join(root, "log"), "added\n");
  expect([readFileSync(join(root, "other"), "utf8"), readFileSync(join(root, "log"), "utf8")]).toEqual([
    "before\n",
    "before\nadded\n",
  ]);
});

test("hides a folder from git, and leaves a .gitignore that is there, or a link in its place, as it is", () => {
  const root = temporaryFolder(onTestFinished);
  const ignore = join(root, ".gitignore");
  hideFromGit(root);
  expect([readFileSync(ignore, "utf8"), statSync(ignore).mode & 0o777]).toEqual(["*\n", 0o600]);
  writeFileSync(ignore, "mine\n");
  hideFromGit(root);
  expect(readFileSync(ignore, "utf8")).toBe("mine\n");
  rmSync(ignore);
  symlinkSync("elsewhere", ignore);
  hideFromGit(root);
  expect(existsSync(join(root, "elsewhere"))).toBe(false);
  const missing = join(root, "missing");
  expect(() => hideFromGit(missing)).toThrow(expect.objectContaining({ code: "FILESYSTEM_ERROR" }));
});

describe("what is ours", () => {
  const refusal = (code: string, message: unknown) => expect.objectContaining({ code, message }) as Error;

  test("is a file or a folder, as it was wanted, and no link to one", () => {
    const root = temporaryFolder(onTestFinished);
    const [file, link] = [join(root, "file"), join(root, "link")];
    writeFileSync(file, "");
    symlinkSync("file", link);
    const require = (path: string, wanted: "file" | "folder") => () => requireOwn(path, lstatSync(path), wanted);
    require(file, "file")();
    require(root, "folder")();
    expect(require(link, "file")).toThrow(refusal("FILESYSTEM_ERROR", `${link} is a symbolic link`));
    expect(require(file, "folder")).toThrow(refusal("FILESYSTEM_ERROR", `${file} is no folder`));
    expect(require(root, "file")).toThrow(refusal("FILESYSTEM_ERROR", `${root} is no regular file`));
  });

  test("belongs to this user", () => {
    const root = temporaryFolder(onTestFinished);
    const stats = lstatSync(root);
    const foreign = Object.assign(lstatSync(root), { uid: stats.uid + 1 });
    expect([isForeign(stats), isForeign(foreign)]).toEqual([false, true]);
    const denied = refusal("FILE_ACCESS_DENIED", `${root} belongs to another user`);
    expect(() => requireOwn(root, foreign, "folder")).toThrow(denied);
  });

  test("in .claw is judged with the folder around it, and is made by nobody", () => {
    const root = temporaryFolder(onTestFinished);
    expect([clawFolder(root, "sessions"), readdirSync(root)]).toEqual([join(root, ".claw/sessions"), []]);
    mkdirSync(join(root, ".claw"));
    symlinkSync("elsewhere", join(root, ".claw/sessions"));
    const link = refusal("FILESYSTEM_ERROR", `${join(root, ".claw/sessions")} is a symbolic link`);
    expect(() => clawFolder(root, "sessions")).toThrow(link);
    expect(clawFolder(root, "outputs")).toBe(join(root, ".claw/outputs"));
    symlinkSync(".claw", join(root, "other"));
    rmSync(join(root, ".claw"), { recursive: true });
    symlinkSync("other", join(root, ".claw"));
    expect(() => clawFolder(root, "outputs")).toThrow(refusal("FILESYSTEM_ERROR", expect.stringContaining(".claw is")));
  });
});

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
