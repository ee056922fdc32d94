import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClawError } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { loadScenario } from "./fake-scenario-file.ts";

const BUILT_IN = { text: { steps: [{ type: "text", text: "hi" }] }, tools: { steps: [] } };

function folderWith(content: string): string {
  const cwd = temporaryFolder(onTestFinished);
  writeFileSync(join(cwd, "mine.json"), content);
  return cwd;
}

async function refusal(name: string, cwd: string): Promise<unknown> {
  const error: unknown = await loadScenario(name, cwd, BUILT_IN).catch((reason: unknown) => reason);
  return error instanceof ClawError ? { code: error.code, message: error.message, hint: error.hint } : error;
}

describe("a scenario is loaded", () => {
  test("by its name", async () => {
    const loaded = await loadScenario("text", "/", BUILT_IN);
    expect(loaded).toEqual({ source: "built-in", scenario: { steps: [{ type: "text", text: "hi" }] } });
  });

  test("from a file of the folder, with or without a byte order mark", async () => {
    const cwd = folderWith('\uFEFF{"steps":[]}');
    expect(await loadScenario("mine.json", cwd, BUILT_IN)).toEqual({ source: "file", scenario: { steps: [] } });
  });
});

describe("a scenario is refused", () => {
  test("when nobody knows it, with the nearest names and all of them", async () => {
    expect(await refusal("tolls", "/")).toEqual({
      code: "FAKE_SCENARIO_NOT_FOUND",
      message: "'tolls' is neither a built-in scenario nor a file",
      hint: "Did you mean tools? Built in: text, tools.",
    });
  });

  test("when it is no JSON, with what is wrong", async () => {
    expect(await refusal("mine.json", folderWith('{"steps":'))).toMatchObject({
      code: "FAKE_SCENARIO_INVALID",
      message: expect.stringMatching(/^mine\.json is no scenario: it is not JSON \(.+\)$/) as string,
    });
  });

  test("when its steps are wrong, with the first place and how many more", async () => {
    const cwd = folderWith('{"steps":[{"type":"text"},{"type":"wait","ms":"long"}]}');
    expect(await refusal("mine.json", cwd)).toMatchObject({
      code: "FAKE_SCENARIO_INVALID",
      message: expect.stringMatching(/^mine\.json is no scenario: steps\[0\]\.text: .+ \(and 1 more\)$/) as string,
    });
  });

  test("when it is a folder", async () => {
    const cwd = temporaryFolder(onTestFinished);
    mkdirSync(join(cwd, "mine.json"));
    expect(await refusal("mine.json", cwd)).toMatchObject({
      code: "FAKE_SCENARIO_INVALID",
      message: "mine.json is no scenario: it is no regular file",
    });
  });
});
