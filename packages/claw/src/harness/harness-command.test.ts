import { describe, expect, test } from "vitest";
import type { RunRequest } from "./harness.ts";
import { HARNESSES } from "./harness-table.ts";

const request = (more: Partial<RunRequest> = {}): RunRequest => ({
  prompt: "do it",
  skill: null,
  model: null,
  cwd: "/w",
  env: {},
  dialogue: false,
  loggedIn: false,
  lastMessagePath: null,
  program: null,
  ...more,
});

describe("the command of Claude Code", () => {
  const command = (more: Partial<RunRequest> = {}) => HARNESSES["claude-code"].command(request(more));
  const STREAM = ["--output-format", "stream-json", "--verbose"];

  test("has a short prompt as an argument and closes stdin", () => {
    expect(command({ model: "m" })).toMatchObject({
      argv: ["claude", "-p", "do it", "--model", "m", ...STREAM],
      stdin: null,
    });
  });

  test.each([
    ["long", "x".repeat(40_000)],
    ["that looks like a flag", "--help"],
    ["with a zero byte", "a\0b"],
  ])("has a prompt %s on stdin", (_kind, prompt) => {
    expect(command({ prompt })).toMatchObject({ argv: ["claude", "-p", ...STREAM], stdin: prompt });
  });

  test("calls a skill by its name", () => {
    expect([command({ skill: "demo", prompt: "" }).argv[2], command({ skill: "demo" }).argv[2]]).toEqual([
      "/demo",
      "/demo do it",
    ]);
  });

  test("starts another program when told to", () => {
    expect(command({ program: ["/opt/claude", "x"] }).argv.slice(0, 2)).toEqual(["/opt/claude", "x"]);
  });
});

describe("the command of Codex", () => {
  const command = (more: Partial<RunRequest> = {}) => HARNESSES.codex.command(request(more));

  test("always has its prompt on stdin, and a file for the last message where one is offered", () => {
    const flags = ["--skip-git-repo-check", "-s", "workspace-write", "-"];
    expect(command()).toMatchObject({ argv: ["codex", "exec", "--json", ...flags], stdin: "do it" });
    expect(command({ lastMessagePath: "/t/last" }).argv.slice(3, 5)).toEqual(["--output-last-message", "/t/last"]);
  });

  test("tells which credentials there are", () => {
    const sources = [{ CODEX_API_KEY: "k" }, { CODEX_API_KEY: "", OPENAI_API_KEY: "k" }, {}].map(
      (env) => command({ env }).metadata["auth_source"],
    );
    expect(sources).toEqual(["CODEX_API_KEY", "OPENAI_API_KEY", "unknown"]);
    expect(command({ loggedIn: true }).diagnostics).toEqual(["codex sandbox=workspace-write", "codex auth=cached"]);
  });
});
