import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { chooseAgent, spawnThatWorks } from "./read-spawn.ts";
import { createTestPorts } from "../../testing/test-ports.ts";

/** A machine with these programs and variables. */
function machine(programs: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const folder = temporaryFolder(onTestFinished);
  for (const name of programs) {
    writeFileSync(join(folder, name), "#!/bin/sh\n");
    chmodSync(join(folder, name), 0o755);
  }
  return createTestPorts(folder, { env: { PATH: folder, HOME: folder, ...env } });
}

test("the agent is the one that is installed, Claude Code before Codex", async () => {
  expect(await chooseAgent("auto", undefined, machine(["codex"]))).toBe("codex");
  expect(await chooseAgent("auto", undefined, machine(["codex", "claude"]))).toBe("claude-code");
  expect(await chooseAgent("codex", undefined, machine(["claude"]))).toBe("codex");
});

test("where none is installed it is claw's own, if that can ask a model", async () => {
  expect(await chooseAgent("auto", undefined, machine([], { ANTHROPIC_API_KEY: "sk-1" }))).toBe("claw");
  expect(await chooseAgent("auto", "scripted", machine([]))).toBe("claw");
});

test("where none can work, the ways on are named", async () => {
  await expect(chooseAgent("auto", undefined, machine([]))).rejects.toMatchObject({
    code: "HARNESS_NOT_FOUND",
    hint: "Install Claude Code or Codex, or set ANTHROPIC_API_KEY. Without either: add --harness claw --model scripted, or run claw demo.",
  });
});

test("the call of spawn that claw suggests is one that works on this machine", async () => {
  expect(await spawnThatWorks(machine(["claude"]))).toBe('claw spawn "explain this folder"');
  expect(await spawnThatWorks(machine([]))).toBe("claw spawn --harness claw --model scripted hello");
});
