import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readTree } from "./read-tree.ts";
import { clawJson, responseJson, runClaw } from "./run-claw.ts";
import { seedFile, seedRepository, seedSession, sessionFile } from "./seed.ts";
import { createWorkspace } from "./workspace.ts";

const integer = expect.toSatisfy(Number.isInteger, "an integer") as unknown;

test("1: list-sessions in an empty folder answers an empty list", async () => {
  expect(await clawJson(createWorkspace(), ["list-sessions"])).toEqual({
    timestamp: expect.any(String) as unknown,
    command: "list-sessions",
    exit_code: 0,
    output_format: "json",
    schema_version: "1.0",
    directory: ".claw/sessions",
    sessions_count: 0,
    total_count: 0,
    sessions: [],
    etag: expect.any(String) as unknown,
  });
});

test("3: an argument too many is a parse error that repeating does not mend", async () => {
  expect(await clawJson(createWorkspace(), ["list-sessions", "extra"])).toMatchObject({
    exit_code: 1,
    kind: "unexpected_extra_args",
    error: { kind: "parse", retryable: false, value: "extra" },
  });
});

test("5: load-session tells where a session is, and counts as list-sessions does", async () => {
  const workspace = createWorkspace();
  seedSession(workspace, "demo", undefined, ["one", "two", "three"]);
  const [loaded, listed] = await Promise.all([
    clawJson(workspace, ["load-session", "demo"]),
    clawJson(workspace, ["list-sessions"]),
  ]);
  expect(loaded).toMatchObject({
    exit_code: 0,
    session_id: "demo",
    loaded: true,
    directory: ".claw/sessions",
    path: ".claw/sessions/demo.jsonl",
    messages_count: 3,
    session: { id: "demo", path: sessionFile(workspace, "demo"), messages: 3 },
  });
  expect(listed["sessions"]).toMatchObject([{ id: "demo", message_count: 3 }]);
});

test("7: a session with a broken line in its middle is refused with the number of that line", async () => {
  const workspace = createWorkspace();
  seedSession(workspace, "demo", undefined, ["one", "two"]);
  const path = sessionFile(workspace, "demo");
  const lines = readFileSync(path, "utf8").split("\n");
  writeFileSync(path, lines.map((line, index) => (index === 2 ? "{ broken" : line)).join("\n"));
  const answer = await clawJson(workspace, ["load-session", "demo"]);
  expect(answer).toMatchObject({ exit_code: 1, kind: "session_load_failed", error: { kind: "session" } });
  expect(answer.error?.["message"]).toMatch(/line 3\b/);
});

test("11: flush-transcript stores the prompt in a file that is there afterwards", async () => {
  const workspace = createWorkspace();
  const answer = await clawJson(workspace, ["flush-transcript", "hello there"]);
  expect(answer).toMatchObject({
    exit_code: 0,
    session_id: expect.stringMatching(/^session-\d+-/) as unknown,
    flushed: true,
    messages_count: 1,
    input_tokens: integer,
    output_tokens: integer,
  });
  expect(readFileSync(join(workspace.cwd, String(answer["path"])), "utf8")).toContain("hello there");
});

test("35: a mistyped command is told the nearest one", async () => {
  const answer = await clawJson(createWorkspace(), ["statuz"]);
  expect(answer).toMatchObject({
    command: "statuz",
    kind: "command_not_found",
    hint: expect.stringContaining("status") as unknown,
  });
  expect(answer).not.toHaveProperty("found");
});

test("37: an unknown word in text mode fails on stderr and leaves stdout empty", async () => {
  expect(await runClaw(createWorkspace(), ["foobar"])).toEqual({
    exitCode: 1,
    signal: null,
    stdout: "",
    stderr: expect.stringContaining("command_not_found") as unknown,
  });
});

test("39: help on export is data about export, not a text", async () => {
  const answer = await clawJson(createWorkspace(), ["export", "--help"]);
  expect(answer).toMatchObject({
    command: "export",
    topic: "export",
    kind: "help",
    defaults: { "session-id": "latest" },
  });
  expect((answer["options"] as unknown[]).length).toBeGreaterThanOrEqual(4);
  expect(answer).not.toHaveProperty("message");
});

test("41: help works with broken settings and asks for no credentials", async () => {
  const workspace = createWorkspace();
  seedFile(workspace, ".claw/settings.json", "{ broken");
  expect(await clawJson(workspace, ["doctor", "--help"])).toMatchObject({
    kind: "help",
    topic: "doctor",
    local_only: true,
    requires_credentials: false,
  });
});

test("43: status has every field of the document, whole numbers where it counts", async () => {
  const workspace = createWorkspace();
  seedRepository(workspace, "main");
  seedSession(workspace, "demo");
  const { cwd } = workspace;
  expect(await clawJson(workspace, ["status"])).toMatchObject({
    kind: "status",
    status: "ok",
    config_load_error: null,
    model: "claude-opus-4-5",
    model_source: "default",
    model_raw: null,
    permission_mode: "workspace-write",
    usage: {
      messages: 1,
      turns: 1,
      latest_total: 15,
      cumulative_input: 10,
      cumulative_output: 5,
      cumulative_total: 15,
      estimated_tokens: integer,
    },
    workspace: { cwd, project_root: cwd, git_branch: "main", git_state: "dirty", changed_files: 1 },
  });
});

test("45: a permission mode given before the verb counts and names its source", async () => {
  expect(await clawJson(createWorkspace(), ["--permission-mode", "read-only", "status"])).toMatchObject({
    permission_mode: "read-only",
    permission_mode_source: "flag",
  });
});

test("47: an unknown permission mode is refused", async () => {
  expect(await clawJson(createWorkspace(), ["--permission-mode", "bogus", "status"])).toMatchObject({
    exit_code: 1,
    kind: "invalid_permission_mode",
    error: { value: "bogus", expected: ["read-only", "workspace-write", "danger-full-access"] },
  });
});

test("49: a working folder that is none is refused with the reason and the path", async () => {
  const workspace = createWorkspace();
  seedFile(workspace, "file", "");
  const refused = (path: string) => clawJson(workspace, ["status", "--cwd", path]);
  const answers = await Promise.all(["missing", "file", ""].map(refused));
  expect(answers.map(({ kind, error }) => [kind, error?.["reason"], error?.["path"]])).toEqual([
    ["invalid_cwd", "not_found", join(workspace.cwd, "missing")],
    ["invalid_cwd", "not_a_directory", join(workspace.cwd, "file")],
    ["invalid_cwd", "empty", ""],
  ]);
});

test("51: export without sessions fails with a hint on how to make one", async () => {
  expect(await clawJson(createWorkspace(), ["export"])).toMatchObject({
    exit_code: 1,
    kind: "no_managed_sessions",
    hint: expect.stringContaining("claw flush-transcript") as unknown,
  });
});

test("53: a model that cannot be one, from the environment, is a warning of status", async () => {
  const env = { ANTHROPIC_MODEL: "bad model" };
  expect(await clawJson(createWorkspace(), ["status"], { env })).toMatchObject({
    exit_code: 0,
    status: "warn",
    model: null,
    model_raw: "bad model",
    model_source: "env",
    model_env_var: "ANTHROPIC_MODEL",
    model_validation_error_kind: "invalid_model",
  });
});

test("55: of two formats the last holds, in any case, and the first is reported", async () => {
  const { stdout } = await runClaw(createWorkspace(), ["--output-format", "text", "--output-format", "JSON", "status"]);
  expect(JSON.parse(stdout)).toMatchObject({ format_source: "flag", format_raw: "JSON", format_overridden: ["text"] });
});

test("57: an unknown format is refused in JSON, with the value and what was expected", async () => {
  const { stdout, exitCode } = await runClaw(createWorkspace(), ["--output-format", "YAML", "status"]);
  expect({ exitCode, body: JSON.parse(stdout) as unknown }).toMatchObject({
    exitCode: 1,
    body: { kind: "invalid_output_format", error: { value: "YAML", expected: ["text", "json"] } },
  });
});

test("63: a flag without its value and a flag with a wrong one are told apart, and the right ones are named", async () => {
  const workspace = createWorkspace();
  const [missing, wrong] = await Promise.all([
    clawJson(workspace, ["status", "--model"]),
    clawJson(workspace, ["status", "--envelope", "HIGH"]),
  ]);
  expect(missing).toMatchObject({ kind: "missing_flag_value", error: { target: "--model" } });
  expect(wrong).toMatchObject({
    kind: "invalid_flag_value",
    error: { target: "--envelope", value: "HIGH", expected: ["claw", "flat", "response"] },
    hint: expect.stringContaining("claw, flat, response") as unknown,
  });
});

test("81: init a second time changes no byte and says so", async () => {
  const workspace = createWorkspace();
  const first = await clawJson(workspace, ["init"]);
  const before = readTree(workspace.cwd);
  const second = await clawJson(workspace, ["init"]);
  expect(first).toMatchObject({ already_initialized: false, effect: "created", next_step: "claw status" });
  expect(first["created"]).toEqual([".claw/sessions", ".claw/settings.json", ".claw/.gitignore"]);
  expect(second).toMatchObject({ already_initialized: true, effect: "noop", created: [], next_step: "claw status" });
  expect(readTree(workspace.cwd)).toEqual(before);
});

test("83: an unknown section of the settings is refused with the known ones", async () => {
  const supported = expect.arrayContaining(["model", "envelope", "outputFormat", "permissions", "hooks"]) as unknown;
  const answer = await clawJson(createWorkspace(), ["config", "nonsense"]);
  expect(answer).toMatchObject({
    exit_code: 1,
    kind: "unsupported_config_section",
    error: { code: "UNSUPPORTED_CONFIG_SECTION", supported_sections: supported },
    hint: expect.stringContaining("permissions") as unknown,
  });
});

test("97: doctor's summary adds up, healthy or not, in one document", async () => {
  const [healthy, ill] = [createWorkspace(), createWorkspace()];
  seedFile(ill, ".claw.json", "[]");
  const answers = await Promise.all([clawJson(healthy, ["doctor"]), clawJson(ill, ["doctor"])]);
  for (const answer of answers) {
    const summary = answer["summary"] as { total: number; ok: number; warnings: number; failures: number };
    expect(summary.total).toBe((answer["checks"] as unknown[]).length);
    expect(summary.total).toBe(summary.ok + summary.warnings + summary.failures);
    expect(answer["has_failures"]).toBe(summary.failures > 0);
  }
  expect(answers.map(({ exit_code, has_failures }) => [exit_code, has_failures])).toEqual([
    [0, false],
    [1, true],
  ]);
});

test("115: in the response envelope each failure exits by its row of the catalogue", async () => {
  const workspace = createWorkspace();
  seedFile(workspace, "taken.md", "mine");
  mkdirSync(join(workspace.cwd, "folder"));
  seedSession(workspace, "demo");
  seedSession(workspace, "broken");
  appendFileSync(sessionFile(workspace, "broken"), "{ broken\n{}\n");
  const rows: [argv: string[], exit: number, code: string][] = [
    [["list-sessions"], 0, ""],
    [["load-session", "broken"], 1, "SESSION_CORRUPT"],
    [["statuz"], 3, "UNKNOWN_COMMAND"],
    [["status", "--permission-mode", "x"], 3, "INVALID_PERMISSION_MODE"],
    [["export", "taken.md", "--session-id", "demo"], 4, "CONFIRMATION_REQUIRED"],
    [["export", "folder", "--session-id", "demo"], 4, "INVALID_OUTPUT_PATH"],
    [[], 4, "INTERACTIVE_ONLY"],
    [["load-session", "nobody"], 5, "SESSION_NOT_FOUND"],
    [["schema", "nothing"], 5, "SCHEMA_NOT_FOUND"],
    [["status", "--timeout-seconds", "0"], 10, "TIMEOUT"],
    [["sessions"], 13, "COMMAND_RENAMED"],
  ];
  const answers = await Promise.all(rows.map(([argv]) => responseJson(workspace, argv)));
  expect(answers.map(({ exitCode, error }) => [exitCode, error?.code ?? ""])).toEqual(
    rows.map(([, exit, code]) => [exit, code]),
  );
  expect(existsSync(join(workspace.cwd, "folder", "demo.md"))).toBe(false);
});

test("117: a renamed verb is a permanent redirect", async () => {
  const answer = await responseJson(createWorkspace(), ["session", "list"]);
  expect(answer).toMatchObject({
    exitCode: 13,
    error: {
      code: "COMMAND_RENAMED",
      retryable: true,
      redirect: {
        command: "claw list-sessions --output-format json --envelope response",
        permanent: true,
        reason: "renamed",
      },
    },
  });
});
