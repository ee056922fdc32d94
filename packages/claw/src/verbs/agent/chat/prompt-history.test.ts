import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createRedactor, LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { nodeFileSystem } from "../../../files/index.ts";
import { openPromptHistory } from "./prompt-history.ts";

function createFolder(content?: string) {
  const cwd = temporaryFolder(onTestFinished);
  const path = join(cwd, ".claw", "history");
  if (content !== undefined) {
    mkdirSync(join(cwd, ".claw"));
    writeFileSync(path, content);
  }
  const redactor = createRedactor({ secrets: ["hunter2-hunter2"] });
  return { cwd, path, open: () => openPromptHistory({ cwd, files: nodeFileSystem, redactor }) };
}

test("prompts are there in the next session, the newest last, with their line ends", () => {
  const { open, path } = createFolder();
  const history = open();
  history.add("one");
  history.add("two\nlines");
  history.add("two\nlines");
  history.add("   ");
  expect(open().entries()).toEqual(["one", "two\nlines"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("secrets are not written down", () => {
  const { open, path } = createFolder();
  open().add("the password is hunter2-hunter2");
  expect(readFileSync(path, "utf8")).not.toContain("hunter2-hunter2");
});

test("sessions beside each other keep each other's prompts", () => {
  const { open } = createFolder();
  const [left, right] = [open(), open()];
  left.add("left");
  right.add("right");
  expect(open().entries()).toEqual(["left", "right"]);
});

test("a broken file is no error, and what is whole in it is kept", () => {
  const { open } = createFolder('"fine"\n{"no": "prompt"}\n"torn');
  const history = open();
  expect(history.entries()).toEqual(["fine"]);
});

test("no more is kept than can be called back", () => {
  const count = LIMITS.promptHistoryEntries * 2 + 10;
  const { open, path } = createFolder(Array.from({ length: count }, (_, index) => `"p${index}"\n`).join(""));
  expect(open().entries()).toHaveLength(LIMITS.promptHistoryEntries);
  expect(readFileSync(path, "utf8").trim().split("\n")).toHaveLength(LIMITS.promptHistoryEntries);
  expect(open().entries().at(-1)).toBe(`p${count - 1}`);
});

test("a folder that cannot be written to does not hold anybody up", () => {
  const { open, cwd } = createFolder();
  writeFileSync(join(cwd, ".claw"), "a file where the folder should be");
  const history = open();
  history.add("asked all the same");
  expect(history.entries()).toEqual(["asked all the same"]);
});

test("a history that a link leads to is neither read nor written", () => {
  const { open, cwd } = createFolder();
  const elsewhere = join(cwd, "elsewhere");
  mkdirSync(elsewhere);
  writeFileSync(join(elsewhere, "history"), '"planted"\n');
  symlinkSync("elsewhere", join(cwd, ".claw"));
  const history = open();
  history.add("mine");
  expect([history.entries(), readFileSync(join(elsewhere, "history"), "utf8")]).toEqual([["mine"], '"planted"\n']);
});
