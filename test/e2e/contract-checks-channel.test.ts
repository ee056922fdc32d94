import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { normalise } from "./normalise.ts";
import { clawJson, responseJson, runClaw } from "./run-claw.ts";
import { seedFile, seedSession } from "./seed.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const body = (stdout: string): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;

async function normalised(workspace: Workspace, argv: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const { stdout, stderr, exitCode } = await runClaw(workspace, argv, { env });
  return { exitCode, stderr, body: normalise(body(stdout), workspace) };
}

describe("flags", () => {
  test("two wrong flags are both named in one answer", async () => {
    const answer = await clawJson(createWorkspace(), ["list-sessions", "--limit", "0", "--bogus"]);
    expect(answer.error).toMatchObject({
      code: "INVALID_FLAG_VALUE",
      errors: [
        { param: "--limit", code: "INVALID_FLAG_VALUE", value: "0" },
        { param: "--bogus", code: "UNKNOWN_OPTION" },
      ],
    });
  });

  test("a wrong format and a wrong envelope are both named in one answer, in JSON of the default envelope", async () => {
    const { stdout, exitCode } = await runClaw(createWorkspace(), [
      "status",
      "--output-format",
      "yaml",
      "--envelope",
      "paper",
    ]);
    expect({ exitCode, ...body(stdout) }).toMatchObject({
      exitCode: 1,
      exit_code: 1,
      error: {
        code: "INVALID_OUTPUT_FORMAT",
        errors: [
          { param: "--output-format", code: "INVALID_OUTPUT_FORMAT", value: "yaml" },
          { param: "--envelope", code: "INVALID_FLAG_VALUE", value: "paper" },
        ],
      },
    });
  });

  test("they mean the same before and after the verb, apart or joined by an equals sign", async () => {
    const workspace = createWorkspace();
    for (const id of ["a", "b"]) seedSession(workspace, id);
    const spellings = [
      ["--output-format", "json", "--limit", "1", "list-sessions"],
      ["list-sessions", "--limit", "1", "--output-format", "json"],
      ["--limit=1", "list-sessions", "--output-format=json"],
    ];
    const answers = await Promise.all(spellings.map((argv) => normalised(workspace, argv)));
    expect(answers[0]).toMatchObject({ exitCode: 0, stderr: "", body: { sessions_count: 1, total_count: 2 } });
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[2]).toEqual(answers[0]);
  });

  test("two dashes end them: what follows is an argument", async () => {
    const workspace = createWorkspace();
    const { stdout, exitCode } = await runClaw(workspace, ["flush-transcript", "--output-format=json", "--", "--help"]);
    expect({ exitCode, ...body(stdout) }).toMatchObject({ exitCode: 0, messages_count: 1, effect: "created" });
    const shown = await clawJson(workspace, ["export"]);
    expect(shown["markdown"]).toContain("## User\n\n--help\n");
  });

  test("-C, --cwd and --directory name the same folder, and the last of them holds", async () => {
    const workspace = createWorkspace();
    mkdirSync(join(workspace.cwd, "inner"));
    mkdirSync(join(workspace.cwd, "other"));
    const inner = { ...workspace, cwd: join(workspace.cwd, "inner") };
    seedSession(inner, "demo");
    const ways = [["-C", "inner"], ["-Cinner"], ["--cwd", "inner"], ["--directory", "inner"], ["--cwd", inner.cwd]];
    const answers = await Promise.all(
      ways.map((way) => normalised(workspace, [...way, "list-sessions", "--output-format", "json"])),
    );
    expect(answers[0]?.body).toMatchObject({ directory: ".claw/sessions", sessions: [{ id: "demo" }] });
    expect(answers.every(({ exitCode, stderr }) => exitCode === 0 && stderr === "")).toBe(true);
    expect(answers.map((answer) => answer.body)).toEqual(ways.map(() => answers[0]?.body));
    const twice = await clawJson(workspace, ["list-sessions", "--cwd", "other", "--directory", "inner"]);
    expect(twice).toMatchObject({ sessions_count: 1, warnings: ["DUPLICATE_FLAG: the last --cwd holds"] });
  });

  test("a repeated format is taken from the last one, and a repetition of the same word warns of nothing", async () => {
    const workspace = createWorkspace();
    const [text, json] = await Promise.all([
      runClaw(workspace, ["version", "--output-format", "json", "--output-format", "text"]),
      clawJson(workspace, ["version", "--output-format", "json"]),
    ]);
    expect(text.stdout).toMatch(/^claw \d/);
    expect(json).not.toHaveProperty("warnings");
  });
});

describe("the environment", () => {
  test("CLAW_OUTPUT_FORMAT decides the format, and a flag beats it", async () => {
    const workspace = createWorkspace();
    const env = { CLAW_OUTPUT_FORMAT: "json" };
    const [byEnv, byFlag] = await Promise.all([
      runClaw(workspace, ["status"], { env }),
      runClaw(workspace, ["version", "--output-format", "text"], { env }),
    ]);
    expect(body(byEnv.stdout)).toMatchObject({ format_source: "env", format_raw: "json", format_overridden: [] });
    expect(byFlag.stdout).toMatch(/^claw \d/);
  });

  test("CLAW_ENVELOPE decides the envelope, and a flag beats it", async () => {
    const workspace = createWorkspace();
    const env = { CLAW_ENVELOPE: "response" };
    const [byEnv, byFlag, inText] = await Promise.all([
      runClaw(workspace, ["version", "--output-format", "json"], { env }),
      runClaw(workspace, ["version", "--output-format", "json", "--envelope", "flat"], { env }),
      runClaw(workspace, ["load-session", "nobody"], { env }),
    ]);
    expect(Object.keys(body(byEnv.stdout))).toEqual(["ok", "data", "error", "warnings", "meta"]);
    expect(body(byFlag.stdout)).toMatchObject({ kind: "version" });
    expect(body(byFlag.stdout)).not.toHaveProperty("timestamp");
    expect(inText.exitCode).toBe(5);
  });

  test("an unknown word in either variable is refused by the variable's name", async () => {
    const workspace = createWorkspace();
    const answers = await Promise.all(
      ["CLAW_OUTPUT_FORMAT", "CLAW_ENVELOPE"].map((name) =>
        runClaw(workspace, ["version"], { env: { CLAW_OUTPUT_FORMAT: "json", [name]: "yaml" } }),
      ),
    );
    expect(answers.map(({ stdout }) => body(stdout)["error"])).toMatchObject([
      { code: "INVALID_OUTPUT_FORMAT", target: "CLAW_OUTPUT_FORMAT", value: "yaml" },
      { code: "INVALID_FLAG_VALUE", target: "CLAW_ENVELOPE", value: "yaml" },
    ]);
  });

  test("settings decide envelope and format when neither flag nor variable does", async () => {
    const workspace = createWorkspace();
    seedFile(workspace, ".claw/settings.json", JSON.stringify({ envelope: "response", outputFormat: "json" }));
    const [bySettings, byEnv, byFlag] = await Promise.all([
      runClaw(workspace, ["version"]),
      runClaw(workspace, ["version"], { env: { CLAW_ENVELOPE: "flat" } }),
      runClaw(workspace, ["version", "--envelope", "claw"], { env: { CLAW_ENVELOPE: "flat" } }),
    ]);
    expect(body(bySettings.stdout)).toMatchObject({ ok: true, data: { kind: "version" } });
    expect(Object.keys(body(byEnv.stdout))[0]).toBe("kind");
    expect(Object.keys(body(byFlag.stdout))[0]).toBe("timestamp");
  });

  test("settings of the folder given with --cwd decide, not those of the caller's folder", async () => {
    const workspace = createWorkspace();
    seedFile(workspace, "inner/.claw/settings.json", JSON.stringify({ envelope: "response" }));
    const { stdout } = await runClaw(workspace, ["version", "--directory", "inner", "--output-format", "json"]);
    expect(body(stdout)).toMatchObject({ ok: true });
  });
});

describe("what an answer carries beside its data", () => {
  test("a trace id given in the environment comes back, and none is made up", async () => {
    const workspace = createWorkspace();
    const [traced, plain] = await Promise.all([
      responseJson(workspace, ["version"], { env: { CLAW_TRACE_ID: "trace-7f" } }),
      responseJson(workspace, ["version"]),
    ]);
    expect(traced.meta["trace_id"]).toBe("trace-7f");
    expect(plain.meta).not.toHaveProperty("trace_id");
  });

  test("every call has a request id of its own", async () => {
    const workspace = createWorkspace();
    const answers = await Promise.all(Array.from({ length: 8 }, () => responseJson(workspace, ["version"])));
    expect(new Set(answers.map(({ meta }) => meta["request_id"])).size).toBe(8);
  });

  test("--quiet keeps warnings and paging advice off stderr", async () => {
    const workspace = createWorkspace();
    for (const id of ["a", "b"]) seedSession(workspace, id);
    seedFile(workspace, ".claw/sessions/no session.jsonl", "");
    const argv = ["list-sessions", "--limit", "1"];
    const [loud, quiet, short] = await Promise.all([
      runClaw(workspace, argv),
      runClaw(workspace, [...argv, "--quiet"]),
      runClaw(workspace, ["-q", ...argv]),
    ]);
    expect(loud.stderr).toContain("NOT_A_SESSION");
    expect(loud.stderr).toContain("--cursor b");
    expect(quiet).toEqual({ ...loud, stderr: "" });
    expect(short).toEqual(quiet);
  });
});

describe("claw without a verb", () => {
  test("prints help when nobody sits at a terminal", async () => {
    const workspace = createWorkspace();
    const [bare, help] = await Promise.all([runClaw(workspace, []), runClaw(workspace, ["help"])]);
    expect(bare).toEqual({ ...help, exitCode: 0, stderr: "" });
    expect(bare.stdout).toContain("list-sessions");
  });

  test("tells a program that it is for people", async () => {
    expect(await clawJson(createWorkspace(), [])).toMatchObject({
      command: "claw",
      exit_code: 1,
      kind: "interactive_only",
      error: { kind: "usage", code: "INTERACTIVE_ONLY" },
    });
  });
});
