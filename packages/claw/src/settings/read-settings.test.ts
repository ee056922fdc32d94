import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import { readSettingsFile } from "./read-settings.ts";

function fileWith(text: string | Buffer): string {
  const path = join(temporaryFolder(onTestFinished), "settings.json");
  writeFileSync(path, text);
  return path;
}

const invalid = (problem: string) => ({ kind: "invalid", problem });

describe("a settings file", () => {
  test("is read with or without a byte order mark", () => {
    const values = { kind: "values", values: { model: "m" } };
    expect([readSettingsFile(fileWith('{"model":"m"}')), readSettingsFile(fileWith('\uFEFF{"model":"m"}'))]).toEqual([
      values,
      values,
    ]);
  });

  test.each([[""], [" \n\t"], ["\uFEFF"]])("with nothing in it (%j) says nothing", (text) => {
    expect(readSettingsFile(fileWith(text))).toEqual({ kind: "values", values: {} });
  });

  test("that is not there is absent, and so is one in what is no folder", () => {
    const path = fileWith("{}");
    expect([readSettingsFile(`${path}.none`), readSettingsFile(join(path, "below"))]).toEqual([
      { kind: "absent" },
      { kind: "absent" },
    ]);
  });

  test("may be a link to one", () => {
    const path = fileWith('{"a":1}');
    symlinkSync(path, `${path}.link`);
    expect(readSettingsFile(`${path}.link`)).toEqual({ kind: "values", values: { a: 1 } });
  });
});

describe("what is no settings file", () => {
  test.each([["[]"], ["null"], ["5"], ['"text"']])("because it holds %s is invalid", (text) => {
    expect(readSettingsFile(fileWith(text))).toEqual(invalid("it is no JSON object"));
  });

  test.each([
    ['{\n  "a": 1,\n}', "it is not JSON in line 3, column 1"],
    ["{a}", "it is not JSON in line 1, column 2"],
    ['{"a":1', "it is not JSON in line 1, column 7"],
    ['{\n  "a": hello\n}', "it is not JSON in line 2, column 8"],
    ['{"position 99": x}', "it is not JSON in line 1, column 17"],
  ])("because %j is not JSON says where", (text, problem) => {
    expect(readSettingsFile(fileWith(text))).toEqual(invalid(problem));
  });

  test("never shows what stands in it", () => {
    const reading = readSettingsFile(fileWith('{"apiKey": sk-ant-secret-value}'));
    expect(JSON.stringify(reading)).not.toMatch(/sk-|secret|apiKey/);
  });

  test("because it is too large is invalid without being read", () => {
    expect(readSettingsFile(fileWith(Buffer.alloc(LIMITS.settingsBytes + 1, 0x20)))).toEqual(
      invalid(`it is larger than ${LIMITS.settingsBytes} bytes`),
    );
  });

  test("because it is a folder or a named pipe is invalid and holds nobody up", () => {
    const folder = temporaryFolder(onTestFinished);
    const [below, pipe] = [join(folder, "a"), join(folder, "b")];
    mkdirSync(below);
    spawnSync("mkfifo", [pipe]);
    expect([below, pipe].map(readSettingsFile)).toEqual([
      invalid("it is no regular file"),
      invalid("it is no regular file"),
    ]);
  });
});
