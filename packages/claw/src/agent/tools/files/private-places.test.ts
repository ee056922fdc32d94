import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { PermissionMode } from "claw-contract";
import { codeCacheHome, stateHome } from "../../../files/index.ts";
import { CANARY } from "../../sandbox/testing/workspace-with-canary.ts";
import type { Bench } from "../testing/tool-bench.ts";
import { openBench } from "../testing/tool-bench.ts";

const MODES: readonly PermissionMode[] = ["read-only", "workspace-write", "danger-full-access"];

/** A workspace with a daemon, one below it, and secrets beside; links lead to each. */
function prepare(mode: PermissionMode): Bench {
  const bench = openBench(onTestFinished, { mode, rules: { allow: ["Read(**)", "Edit(**)", "Bash"] } });
  for (const folder of [".claws/workers/p_1", "sub/.claws", ".claws/worktrees/other", "inner"]) {
    mkdirSync(join(bench.root, folder), { recursive: true });
    writeFileSync(join(bench.root, folder, "secret"), CANARY);
  }
  symlinkSync(join(bench.root, ".claws"), join(bench.root, "link"));
  symlinkSync(join(bench.root, ".claws", "secret"), join(bench.root, "file-link"));
  symlinkSync(stateHome(), join(bench.root, "state-link"));
  symlinkSync(codeCacheHome() ?? "", join(bench.root, "code-link"));
  writeFileSync(join(bench.root, ".claws", "secret"), CANARY);
  return bench;
}

const PATHS = [
  ".claws/secret",
  ".CLAWS/secret",
  ".claw\u017f/secret",
  "./inner/../.claws/secret",
  "link/secret",
  "file-link",
  "link/workers/p_1/secret",
  "sub/.claws/secret",
  ".claws/worktrees/other/secret",
  "/proc/self/cwd/../.claws/secret",
  "state-link/0123456789abcdef/token.secret",
  "code-link/0.1.0/list-sessions.claw.cjs",
  "../.claws/secret",
];

describe.each(MODES)("in mode %s no tool reaches the daemon's files:", (mode) => {
  test.each(PATHS)("%s", async (path) => {
    const bench = prepare(mode);
    const calls: [string, Record<string, unknown>][] = [
      ["read_file", { path }],
      ["write_file", { path, content: "x" }],
      ["edit_file", { path, old_string: "canary", new_string: "x" }],
      ["grep_search", { pattern: "canary", path, output_mode: "content" }],
      ["glob_search", { pattern: "*", path }],
    ];
    for (const [tool, input] of calls) {
      expect([tool, bench.judge(tool, input).decision]).toEqual([tool, "deny"]);
      // Whatever a judge said, the tool opens nothing either.
      const output = await bench.run(tool, input);
      expect([tool, output.isError, JSON.stringify(output).includes(CANARY)]).toEqual([tool, true, false]);
    }
  });

  test("searches of the whole workspace leave them out", async () => {
    const bench = prepare(mode);
    mkdirSync(join(bench.root, ".CLAWS"), { recursive: true });
    writeFileSync(join(bench.root, ".CLAWS", "secret"), CANARY);
    for (const glob of [undefined, "**/*", "**/.claws/**"]) {
      const input = { pattern: CANARY, ...(glob === undefined ? {} : { glob }) };
      expect(JSON.stringify(await bench.run("grep_search", input))).not.toMatch(/claws/i);
    }
    expect(JSON.stringify(await bench.run("glob_search", { pattern: "**/secret" }))).not.toMatch(/claws/i);
  });
});

describe("a command that runs without the sandbox is refused when it names them", () => {
  test.each([
    "cat .claws/secret",
    "cat link/secret",
    "cat file-link",
    'cat ".cla"ws/secret',
    "cat .cl\\aws/secret",
    "cat .CLAWS/secret",
    "cd .claws && cat secret",
    "cat .claw?/secret",
    "cat .c*/secret",
    "cat .cla[w]s/secret",
    "cat $(echo .claws)/secret",
    'node -e \'require("net").connect(".claws/claws.sock")\'',
    "nc -U ./sub/.claws/claws.sock",
    "cat ~/.local/state/claw/*/token.secret",
    "cat $HOME/.local/state/claw/x/orchestrator.token",
    "cp x ~/.cache/claw/code/0.1.0/help.claw.cjs",
    "cp x $HOME/Library/Caches/claw/code/0.1.0/help.claw.cjs",
    "touch .claws/x",
    "cp -r .claws elsewhere",
  ])("%s", (command) => {
    for (const mode of MODES) {
      const bench = prepare(mode);
      expect([mode, bench.judge("bash", { command }).decision]).toEqual([mode, "deny"]);
      const free = { command, dangerouslyDisableSandbox: true };
      expect([mode, bench.judge("bash", free).decision]).toEqual([mode, "deny"]);
    }
  });

  test.each([
    "grep -rn canary .",
    "grep -r canary",
    "rg --hidden canary",
    "rg -uu canary ./",
    "cd inner && grep -r canary ..",
  ])("and does not run unasked when it would find them: %s", (command) => {
    const bench = openBench(onTestFinished);
    mkdirSync(join(bench.root, "inner"));
    expect(bench.judge("bash", { command }).decision).toBe("allow");
    mkdirSync(join(bench.root, ".claws"));
    expect(bench.judge("bash", { command }).decision).toBe("ask");
  });
});

test("a worker's own tree in that folder is an ordinary workspace, and its neighbours are not", async () => {
  const bench = prepare("workspace-write");
  const tree = join(bench.root, ".claws", "worktrees", "mine");
  mkdirSync(join(tree, ".claws"), { recursive: true });
  writeFileSync(join(tree, "a"), "needle");
  const inTree = openBench(onTestFinished, { root: tree });
  expect(JSON.stringify(await inTree.call("read_file", { path: "a" }))).toContain("needle");
  expect(JSON.stringify(await inTree.call("grep_search", { pattern: "needle" }))).toContain('\\"a\\"');
  expect(await inTree.call("write_file", { path: "b", content: "x" })).toMatchObject({ isError: false });
  for (const path of ["../other/secret", "../../secret", ".claws/x"]) {
    expect([path, inTree.judge("read_file", { path }).decision]).toEqual([path, "deny"]);
  }
});
