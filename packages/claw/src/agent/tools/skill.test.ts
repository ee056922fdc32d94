import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { createSkillTool } from "./skill.ts";

function prepare(text: string) {
  const folder = temporaryFolder(onTestFinished);
  const path = join(folder, "SKILL.md");
  writeFileSync(path, text);
  const tool = createSkillTool([{ name: "Release", description: "d", path, source: "project", within: folder }]);
  const run = (input: object) =>
    tool.run(tool.input.parse(input), { id: "1", progress: () => undefined }, new AbortController().signal);
  return { folder, path, tool, run };
}

test("a skill is its instructions, with where they are and what was given with them", async () => {
  const { folder, path, run } = prepare("---\nname: x\n---\n# How\nTag it.\n");
  const head = `Skill: Release\nFile: ${path}\nFolder its own files are in: ${folder}\n`;
  expect(await run({ skill: "Release" })).toEqual({ output: `${head}\n# How\nTag it.`, isError: false });
  expect(await run({ skill: " /release", args: "1.2.3" })).toEqual({
    output: `${head}Arguments: 1.2.3\n\n# How\nTag it.`,
    isError: false,
  });
});

test("an unknown skill is an error that names the others", async () => {
  const { run } = prepare("x");
  expect(await run({ skill: "relaese" })).toEqual({
    output: "There is no skill relaese. There are: Release.",
    isError: true,
  });
  const none = createSkillTool([]);
  const call = { id: "1", progress: () => undefined };
  const answer = none.run(none.input.parse({ skill: "a" }), call, new AbortController().signal);
  expect(await answer).toEqual({ output: "There is no skill a. There are no skills here.", isError: true });
});

test("a skill is read when it is asked for, so one that went away or broke meanwhile is an error", async () => {
  const { path, run } = prepare("x");
  writeFileSync(path, "a\0b");
  expect(await run({ skill: "release" })).toMatchObject({ isError: true });
  rmSync(path);
  expect(await run({ skill: "release" })).toEqual({
    output: `The skill Release is gone: there is no ${path}.`,
    isError: true,
  });
});

test("a skill that has become a link out of its project is not read", async () => {
  const { path, run } = prepare("x");
  const secret = join(temporaryFolder(onTestFinished), "secret");
  writeFileSync(secret, "canary");
  rmSync(path);
  symlinkSync(secret, path);
  const { output, isError } = await run({ skill: "release" });
  expect([isError, output.includes("canary"), output.includes("it is outside of")]).toEqual([true, false, true]);
});

test("long instructions are cut, and say where the rest is", async () => {
  const { run } = prepare("x".repeat(LIMITS.skillChars + 3));
  const { output } = await run({ skill: "release" });
  expect(output).toMatch(/x\n\[3 more characters are left out; read the file for the rest\]$/);
});

test("it touches nothing, and rules see the name", () => {
  const { tool } = prepare("x");
  const input = tool.input.parse({ skill: "release" });
  expect([tool.need(input), tool.subject(input), tool.readOnly]).toEqual([{ kind: "nothing" }, "release", true]);
});
