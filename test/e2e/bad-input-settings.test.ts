import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { keyFile, refused, seed, sessionFile } from "./provocations.ts";
import { clawJson, flatJson, runClaw } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const PLACES = ["home/.claw.json", "home/.claw/settings.json", "project/.claw.json", "project/.claw/settings.json"];

function settingsPath({ cwd }: Workspace, place: string): string {
  const path = join(dirname(cwd), place);
  mkdirSync(dirname(path), { recursive: true });
  return path;
}

/** What is said of a broken file by those who look at settings; it disturbs nobody else. */
async function reportedProblem(workspace: Workspace): Promise<unknown> {
  const config = await clawJson(workspace, ["config"]);
  expect(config).toMatchObject({ exit_code: 0, status: "degraded" });
  expect(await clawJson(workspace, ["status"])).toMatchObject({
    status: "degraded",
    config_load_error_kind: "config_error",
  });
  expect((await refused(workspace, ["doctor"])).code).toBe("DOCTOR_FAILED");
  expect(await clawJson(workspace, ["version"])).toMatchObject({ exit_code: 0 });
  expect(await flatJson(workspace, ["flush-transcript", "hello"])).toMatchObject({ flushed: true });
  return config["load_error"];
}

describe("settings", () => {
  test.for<[string, string, RegExp]>([
    ["is not JSON", '{\n  "model": "x",\n', /not JSON/],
    ["is JSON with a comment", '{\n  // mine\n  "model": "x"\n}', /line 2/],
    ["is an array", "[]", /no JSON object/],
    ["is null", "null", /no JSON object/],
    ["has a model that is a number", '{"model":5}', /model/],
    ["has an envelope nobody knows", '{"envelope":"brown"}', /envelope/],
    ["has permissions that are a list", '{"permissions":[]}', /permissions/],
    ["has a mode nobody knows", '{"permissions":{"defaultMode":"all"}}', /permissions.*defaultMode/],
    ["is 10 MB long", JSON.stringify({ model: "x".repeat(10_000_000) }), /larger than/],
    ["is binary", "\u0000\u0001\u0002", /not JSON/],
    ["is nested beyond all measure", '{"a":'.repeat(100_000) + "1" + "}".repeat(100_000), /./],
  ])("a file that %s is reported and left out", async ([, content, problem]) => {
    const workspace = createWorkspace();
    writeFileSync(settingsPath(workspace, "project/.claw.json"), content);
    expect(await reportedProblem(workspace)).toMatch(problem);
  });

  test.for(PLACES)("a folder or a named pipe in place of %s holds nobody up", async (place) => {
    const workspace = createWorkspace();
    const path = settingsPath(workspace, place);
    expect(spawnSync("mkfifo", [path]).status).toBe(0);
    expect(await clawJson(workspace, ["version"])).toMatchObject({ exit_code: 0 });
    expect(await clawJson(workspace, ["config"])).toMatchObject({ status: "degraded" });
  });

  test("a folder in place of the file is reported", async () => {
    const workspace = createWorkspace();
    mkdirSync(settingsPath(workspace, "project/.claw.json"));
    expect(await reportedProblem(workspace)).toMatch(/no regular file/);
  });

  test("a link to itself is reported", async () => {
    const workspace = createWorkspace();
    symlinkSync(".claw.json", settingsPath(workspace, "project/.claw.json"));
    expect(await reportedProblem(workspace)).toMatch(/ELOOP/);
  });

  test("an empty file and a byte order mark are fine", async () => {
    const workspace = createWorkspace();
    writeFileSync(settingsPath(workspace, "home/.claw.json"), "");
    writeFileSync(settingsPath(workspace, "project/.claw.json"), '\uFEFF{"model":"mine"}');
    expect(await clawJson(workspace, ["config"])).toMatchObject({
      status: "ok",
      values: [{ key: "model", value: "mine" }],
    });
  });

  test("unknown keys are named with what was probably meant", async () => {
    const workspace = createWorkspace();
    writeFileSync(
      settingsPath(workspace, "project/.claw.json"),
      '{"modle":"x","__proto__":{"model":"evil"},"model":"ok"}',
    );
    const body = await clawJson(workspace, ["config"]);
    expect(JSON.stringify(body["warnings"])).toContain("did you mean 'model'?");
    expect(await clawJson(workspace, ["status"])).toMatchObject({ model: "ok" });
  });

  test("a format nobody knows in a file does not turn answers for people into JSON", async () => {
    const workspace = createWorkspace();
    writeFileSync(settingsPath(workspace, "project/.claw.json"), '{"outputFormat":"yaml"}');
    const { stdout } = await runClaw(workspace, ["version"]);
    expect(stdout).toMatch(/^claw /);
  });

  test("a file that is left out decides nothing, not even the envelope", async () => {
    const workspace = createWorkspace();
    writeFileSync(settingsPath(workspace, "project/.claw.json"), '{"envelope":"flat","model":5}');
    const { stdout } = await runClaw(workspace, ["version", "--output-format", "json"]);
    expect(JSON.parse(stdout)).toHaveProperty("schema_version");
  });

  test("a secret in a broken file is not shown", async () => {
    const workspace = createWorkspace();
    const secret = ["sk", "ant", "api03", "s3cret".repeat(8)].join("-");
    writeFileSync(settingsPath(workspace, "project/.claw.json"), `{"apiKey": "${secret}" oops}`);
    for (const args of [["config"], ["status"], ["doctor"]]) {
      const { stdout, stderr } = await runClaw(workspace, args);
      expect(stdout + stderr).not.toContain("s3cret");
    }
  });
});

describe("records of idempotency keys", () => {
  test.for(["", "null", "{"])("a record that says %j is an unknown outcome, no bug", async (content) => {
    const workspace = createWorkspace();
    const args = ["flush-transcript", "hello", "--session-id", "s", "--idempotency-key", "k"];
    await clawJson(workspace, args);
    writeFileSync(keyFile(workspace, "k"), content);
    expect((await refused(workspace, args)).code).toBe("IDEMPOTENCY_OUTCOME_UNKNOWN");
    expect(await clawJson(workspace, ["load-session", "s"])).toMatchObject({ messages_count: 1 });
  });

  test("a key that is refused before anything happened leaves no trace of itself", async () => {
    const workspace = createWorkspace();
    await refused(workspace, ["delete-session", "nowhere", "--idempotency-key", "k"]);
    const { sessions_count } = await clawJson(workspace, ["list-sessions"]);
    expect(sessions_count).toBe(0);
    expect(spawnSync("ls", ["-A", workspace.cwd]).stdout.toString()).toBe("");
  });

  test("a key is no path", async () => {
    const workspace = createWorkspace();
    const file = await seed(workspace, "s");
    for (const key of ["../../escape", "/etc/passwd", "a\nb", "\u{1F980}", "."]) {
      const body = await clawJson(workspace, ["flush-transcript", "x", "--session-id", "s", "--idempotency-key", key]);
      expect(body).toMatchObject({ effect: "updated" });
    }
    expect(file).toBe(sessionFile(workspace, "s"));
  });
});
