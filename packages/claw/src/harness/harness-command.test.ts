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

  test.each([
    ["read-only", "default", { denyWrite: ["/w"] }],
    ["workspace-write", "acceptEdits", undefined],
  ] as const)("holds commands to %s by its sandbox", (permissionMode, mode, filesystem) => {
    const { argv, metadata } = command({ permissionMode });
    const settings = JSON.parse(argv[argv.indexOf("--settings") + 1] ?? "{}") as Record<string, unknown>;
    expect(argv.slice(3, 5)).toEqual(["--permission-mode", mode]);
    expect(settings["sandbox"]).toEqual({
      enabled: true,
      autoAllowBashIfSandboxed: true,
      allowUnsandboxedCommands: false,
      ...(filesystem === undefined ? {} : { filesystem }),
    });
    expect(metadata).toEqual({ model: null, permission_mode: permissionMode });
  });

  test("needs no settings to be held to nothing", () => {
    const { argv } = command({ permissionMode: "danger-full-access" });
    expect(argv.slice(3)).toEqual(["--permission-mode", "bypassPermissions", ...STREAM]);
  });

  test("asks about what it may do when somebody can be asked, and no mode is given", () => {
    expect(command({ dialogue: true }).argv.slice(2, 4)).toEqual(["--permission-mode", "default"]);
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

  test("holds commands to the mode by its sandbox, and asks nobody when it may do everything", () => {
    expect(command({ permissionMode: "read-only" }).argv).toEqual(expect.arrayContaining(["-s", "read-only"]));
    const dialogue = HARNESSES.codex.dialogue(request({ permissionMode: "danger-full-access", dialogue: true }));
    expect(dialogue.heard({ id: 1, result: {} })).toMatchObject([
      { method: "initialized" },
      { method: "thread/start", params: { approvalPolicy: "never", sandbox: "danger-full-access" } },
    ]);
  });

  test("tells which credentials there are", () => {
    const sources = [{ CODEX_API_KEY: "k" }, { CODEX_API_KEY: "", OPENAI_API_KEY: "k" }, {}].map(
      (env) => command({ env }).metadata["auth_source"],
    );
    expect(sources).toEqual(["CODEX_API_KEY", "OPENAI_API_KEY", "unknown"]);
    expect(command({ loggedIn: true }).diagnostics).toEqual(["codex sandbox=workspace-write", "codex auth=cached"]);
  });
});
