import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { exitNumber } from "claw-contract";
import { describe, expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { ROOT } from "../architecture/source-tree.ts";
import { missingSections } from "../packages/missing-sections.ts";
import { processStat } from "./provocations.ts";
import { readTree } from "./read-tree.ts";
import type { Body } from "./run-claw.ts";
import { clawJson, flatJson, responseJson, runClaw } from "./run-claw.ts";
import { seedFile } from "./seed.ts";
import { createWorkspace } from "./workspace.ts";

interface Entry {
  readonly name: string;
  readonly source_hint: string;
  readonly responsibility: string;
}

interface Match extends Entry {
  readonly kind: string;
  readonly score: number;
}

const UNCONFINED = ["--permission-mode", "danger-full-access"];

const entries = (body: Body, list: string): Entry[] => body[list] as Entry[];

describe("what is listed", () => {
  test("command-graph counts what it lists, and each entry can be shown with the same words", async () => {
    const workspace = createWorkspace();
    const graph = await clawJson(workspace, ["command-graph"]);
    const lists = ["builtins", "plugin_like", "skill_like"].map((list) => entries(graph, list));
    expect([graph["builtins_count"], graph["plugin_like_count"], graph["skill_like_count"]]).toEqual(
      lists.map((list) => list.length),
    );
    expect(graph["total_count"]).toBe(lists.flat().length);
    const shown = await Promise.all(lists.flat().map(({ name }) => clawJson(workspace, ["show-command", name])));
    expect(shown.map(({ name, source_hint, responsibility }) => ({ name, source_hint, responsibility }))).toEqual(
      lists.flat(),
    );
    expect(shown.every((body) => body["found"] === true)).toBe(true);
  });

  test("tool-pool counts what it lists, and each entry can be shown by each of its names", async () => {
    const workspace = createWorkspace();
    const pool = await clawJson(workspace, ["tool-pool"]);
    expect(pool).toMatchObject({ simple_mode: false, include_mcp: true, tool_count: entries(pool, "tools").length });
    for (const tool of pool["tools"] as (Entry & { aliases: string[] })[]) {
      const names = [tool.name, ...tool.aliases, tool.name.toUpperCase()];
      const shown = await Promise.all(names.map((name) => clawJson(workspace, ["show-tool", name])));
      expect(shown.map((body) => body["name"])).toEqual(names);
      expect(shown.every((body) => body["canonical_name"] === tool.name && body["found"] === true)).toBe(true);
      expect(shown[0]).toMatchObject({ ...tool, input_schema: { type: "object" } });
    }
  });

  test("tool-pool leaves out what it is told to", async () => {
    const workspace = createWorkspace();
    const [simple, without] = await Promise.all([
      clawJson(workspace, ["tool-pool", "--simple-mode"]),
      clawJson(workspace, ["tool-pool", "--no-mcp"]),
    ]);
    expect(simple).toMatchObject({ simple_mode: true, include_mcp: false });
    const simpleNames = entries(simple, "tools").map(({ name }) => name);
    expect(simpleNames.every((name) => ["bash", "edit_file", "read_file"].includes(name))).toBe(true);
    expect(simpleNames).toContain("bash");
    expect(without).toMatchObject({ simple_mode: false, include_mcp: false });
  });

  test("every source hint is a section of a page", async () => {
    const workspace = createWorkspace();
    const [graph, pool, boot] = await Promise.all(
      ["command-graph", "tool-pool", "bootstrap-graph"].map((verb) => clawJson(workspace, [verb])),
    );
    const listed = [
      ...entries(graph ?? {}, "builtins"),
      ...entries(pool ?? {}, "tools"),
      ...entries(boot ?? {}, "steps"),
    ];
    expect(
      missingSections(
        ROOT,
        listed.map((entry) => entry.source_hint),
      ),
    ).toEqual([]);
    expect((boot ?? {})["stages"]).toEqual(entries(boot ?? {}, "steps").map(({ name }) => name));
  });

  test("reading about commands and tools changes nothing", async () => {
    const workspace = createWorkspace();
    const calls = [
      ["command-graph"],
      ["tool-pool"],
      ["bootstrap-graph"],
      ["route", "add a test"],
      ["show-tool", "bash"],
    ];
    await Promise.all(calls.map((argv) => clawJson(workspace, argv)));
    expect([readTree(workspace.cwd), readTree(workspace.home)]).toEqual([{}, {}]);
  });
});

describe("what is not there", () => {
  test.each([
    ["show-command", "command_not_found"],
    ["show-tool", "tool_not_found"],
    ["exec-command", "command_not_found"],
    ["exec-tool", "tool_not_found"],
  ])("is not found by %s, in every envelope", async (verb, kind) => {
    const workspace = createWorkspace();
    const argv = verb.startsWith("exec") ? [verb, "nope", "some words"] : [verb, "nope"];
    const [claw, flat, response] = await Promise.all([
      clawJson(workspace, argv),
      flatJson(workspace, argv),
      responseJson(workspace, argv),
    ]);
    const echo = { "exec-command": { prompt: "some words" }, "exec-tool": { payload: "some words" } }[verb] ?? {};
    const partial = verb.startsWith("exec") ? { handled: false, ...echo } : {};
    expect(claw).toMatchObject({
      exit_code: 1,
      name: "nope",
      found: false,
      ...partial,
      error: { kind, retryable: false },
    });
    expect(flat).toMatchObject({ kind, ...partial });
    expect(response).toMatchObject({ exitCode: exitNumber("NOT_FOUND"), error: { target: "nope" } });
  });
});

describe("exec-command add-dir", () => {
  test.each(["src/util", "create src/util/"])("'%s' makes the folder, and only once", async (prompt) => {
    const workspace = createWorkspace();
    const argv = ["exec-command", "add-dir", prompt];
    const [first, second] = [await clawJson(workspace, argv), await clawJson(workspace, argv)];
    expect(first).toMatchObject({ name: "add-dir", prompt, handled: true, effect: "created" });
    expect(first["message"]).toMatch(/^created directory/);
    expect(second).toMatchObject({ handled: true, effect: "noop" });
    expect(existsSync(join(workspace.cwd, "src/util"))).toBe(true);
  });

  test("cannot be led out of the folder", async () => {
    const workspace = createWorkspace();
    const outside = join(workspace.home, "outside");
    mkdirSync(outside);
    symlinkSync(outside, join(workspace.cwd, "link"));
    for (const prompt of ["../made", "link/made", join(outside, "made"), "~/outside/made"]) {
      const answer = await clawJson(workspace, ["exec-command", "add-dir", prompt]);
      expect(answer).toMatchObject({ handled: false, prompt, error: { code: "PERMISSION_DENIED" } });
    }
    expect(readTree(outside)).toEqual({});
    expect(existsSync(join(dirname(workspace.cwd), "made"))).toBe(false);
  });

  test("made by many at the same time is there, and nobody fails", async () => {
    const workspace = createWorkspace();
    const argv = ["exec-command", "add-dir", "a/b/c"];
    const answers = await Promise.all(Array.from({ length: 4 }, () => clawJson(workspace, argv)));
    expect(answers.every((answer) => answer["handled"] === true)).toBe(true);
    expect(existsSync(join(workspace.cwd, "a/b/c"))).toBe(true);
  });
});

describe("exec-tool", () => {
  test("runs a command and says how it ended", async () => {
    const workspace = createWorkspace();
    const run = (command: string) => clawJson(workspace, ["exec-tool", "BashTool", command, ...UNCONFINED]);
    expect(await run("echo hi > said.txt")).toMatchObject({
      name: "BashTool",
      canonical_name: "bash",
      payload: "echo hi > said.txt",
      handled: true,
      message: "exit code 0",
      is_error: false,
      effect: "updated",
    });
    expect(readFileSync(join(workspace.cwd, "said.txt"), "utf8")).toBe("hi\n");
  });

  test("that fails is a failure of the call, which shows what it said", async () => {
    const workspace = createWorkspace();
    const call = ["exec-tool", "bash", "echo half; exit 3", ...UNCONFINED];
    const made = { handled: true, message: "exit code 3", is_error: true };
    const failed = { exit_code: 1, ...made, error: { code: "TOOL_FAILED", kind: "runtime" } };
    expect(await clawJson(workspace, call)).toMatchObject(failed);
    expect(await responseJson(workspace, call)).toMatchObject({ exitCode: 1, ok: false, meta: { partial: made } });
    const text = await runClaw(workspace, call);
    expect([text.exitCode, text.stdout]).toEqual([1, expect.stringMatching(/half/)]);
    expect(text.stderr).toMatch(/^error\[tool_failed\]: bash failed: exit code 3\nnext: \S/);
  });

  test("takes an object in place of a text", async () => {
    const workspace = createWorkspace();
    seedFile(workspace, "note.txt", "what it says");
    const payload = JSON.stringify({ path: "note.txt" });
    const answer = await clawJson(workspace, ["exec-tool", "read_file", payload, "--permission-mode", "read-only"]);
    expect(answer).toMatchObject({ payload, handled: true, effect: "noop", is_error: false });
    expect(answer["output"]).toContain("what it says");
  });

  test("gives no advice that would not help for what no mode allows", async () => {
    const call = ["exec-tool", "read_file", ".claws/daemon.json", "--permission-mode", "danger-full-access"];
    expect(await clawJson(createWorkspace(), call)).toMatchObject({
      error: { code: "PERMISSION_DENIED", hint: "No rule and no --permission-mode allows it." },
    });
  });

  test("on a file that is not there fails, and shows nothing of a refused call on stdout", async () => {
    const answer = await clawJson(createWorkspace(), ["exec-tool", "read_file", "none.txt"]);
    expect(answer).toMatchObject({ exit_code: 1, handled: true, is_error: true, error: { code: "TOOL_FAILED" } });
    const broken = await runClaw(createWorkspace(), ["exec-tool", "read_file", '{"path":"none.txt"']);
    expect([broken.exitCode, broken.stdout]).toEqual([1, ""]);
    expect(broken.stderr).toContain("error[invalid_flag_value]: PAYLOAD: it begins like a JSON object and is none");
  });

  test("is judged by the mode of the flag, of the environment and of the settings", async () => {
    const workspace = createWorkspace();
    const call = ["exec-tool", "write_file", JSON.stringify({ path: "made.txt", content: "made" })];
    seedFile(workspace, ".claw/settings.json", JSON.stringify({ permissions: { defaultMode: "read-only" } }));
    const denied = {
      handled: false,
      effect: "noop",
      error: { code: "PERMISSION_DENIED", permission_mode: "read-only" },
    };
    expect(await clawJson(workspace, call)).toMatchObject(denied);
    const env = { CLAW_PERMISSION_MODE: "read-only" };
    expect(await clawJson(workspace, call, { env })).toMatchObject(denied);
    expect(await clawJson(workspace, [...call, "--permission-mode", "read-only"])).toMatchObject(denied);
    expect(existsSync(join(workspace.cwd, "made.txt"))).toBe(false);
    expect(await clawJson(workspace, [...call, ...UNCONFINED], { env })).toMatchObject({ handled: true });
    expect(existsSync(join(workspace.cwd, "made.txt"))).toBe(true);
  });

  test("does nothing while settings cannot be read, for they may forbid it", async () => {
    const workspace = createWorkspace();
    seedFile(workspace, ".claw/settings.json", '{ "permissions": ');
    const answer = await clawJson(workspace, ["exec-tool", "bash", "touch made.txt", ...UNCONFINED]);
    expect(answer).toMatchObject({ handled: false, error: { code: "CONFIG_INVALID" } });
    expect(existsSync(join(workspace.cwd, "made.txt"))).toBe(false);
  });

  test("refuses a payload that the tool does not take", async () => {
    const answer = await clawJson(createWorkspace(), ["exec-tool", "bash", '{"comand":"ls"}', ...UNCONFINED]);
    expect(answer).toMatchObject({ handled: false, error: { code: "INVALID_FLAG_VALUE", target: "PAYLOAD" } });
  });

  test("leaves no process behind when it is stopped", async () => {
    const workspace = createWorkspace();
    const command = "echo $$ > pid.txt; exec sleep 600";
    const argv = ["exec-tool", "bash", command, ...UNCONFINED, "--timeout-seconds", "1"];
    expect(await clawJson(workspace, argv)).toMatchObject({ exit_code: 2, error: { code: "TIMEOUT" } });
    const pid = Number(readFileSync(join(workspace.cwd, "pid.txt"), "utf8"));
    expect(pid).toBeGreaterThan(1);
    await until("the command to be gone", () => /[Z?]/.test(processStat(pid).state));
  });
});

describe("route", () => {
  test("answers with as many as asked for, the best first, the same each time", async () => {
    const workspace = createWorkspace();
    const argv = ["route", "add a folder, read a file and run a command", "--limit", "4"];
    const [first, second] = await Promise.all([clawJson(workspace, argv), clawJson(workspace, argv)]);
    const matches = first["matches"] as Match[];
    expect(first).toMatchObject({ prompt: argv[1], limit: 4, match_count: 4 });
    expect(matches).toHaveLength(4);
    expect(matches.map(({ score }) => score)).toEqual(matches.map(({ score }) => score).toSorted((a, b) => b - a));
    expect(matches.every(({ kind, score }) => ["command", "tool"].includes(kind) && score > 0 && score <= 1)).toBe(
      true,
    );
    expect(new Set(matches.map(({ kind }) => kind))).toEqual(new Set(["command", "tool"]));
    expect(second["matches"]).toEqual(matches);
  });

  test("finds nothing for nothing, and nothing when nothing is asked for", async () => {
    const workspace = createWorkspace();
    const nothing = { match_count: 0, matches: [] };
    expect(await clawJson(workspace, ["route", "add", "--limit", "0"])).toMatchObject({ limit: 0, ...nothing });
    expect(await clawJson(workspace, ["route", ""])).toMatchObject({ limit: 10, ...nothing });
    expect((await clawJson(workspace, ["route", "x", "--limit", "-1"])).error).toMatchObject({
      code: "INVALID_FLAG_VALUE",
    });
  });
});

test("a command of a session leads to what can be called, and that call works", async () => {
  const workspace = createWorkspace();
  const { hint } = await clawJson(workspace, ["/add-dir", "src/util"]);
  const argv = String(hint).split("claw ").at(1)?.split(" ") ?? [];
  expect(await runClaw(workspace, argv)).toMatchObject({ exitCode: 0 });
  expect(existsSync(join(workspace.cwd, "src/util"))).toBe(true);
});
