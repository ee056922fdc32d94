import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import {
  keyFile,
  lockFile,
  MESSAGE,
  META,
  preload,
  putSession,
  refused,
  seed,
  sessionFile,
  sessionsFolder,
  snapshot,
} from "./provocations.ts";
import { BINARY, clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const append = (workspace: Workspace, id = "s", prompt = "more") =>
  clawJson(workspace, ["flush-transcript", prompt, "--session-id", id]);

/** What must hold in a folder, however odd one of its sessions is. */
async function expectOthersServed(workspace: Workspace): Promise<void> {
  putSession(workspace, "healthy", `${META}\n${MESSAGE}\n`);
  expect(await clawJson(workspace, ["load-session", "healthy"])).toMatchObject({ messages_count: 1 });
  const { sessions } = await clawJson(workspace, ["list-sessions"]);
  expect((sessions as { id: string }[]).map(({ id }) => id)).toContain("healthy");
  expect(await clawJson(workspace, ["status"])).toMatchObject({ exit_code: 0 });
}

const COMMIT_TOTALS = {
  messages: 30,
  prompts: 30,
  turns: 30,
  input_tokens: 0,
  output_tokens: 0,
  latest_total: 0,
  estimated_tokens: 0,
};

/** More than is read whole before an append. */
const bigSession = (meta: string): string =>
  [
    meta,
    ...Array.from({ length: 30 }, () => MESSAGE.replace("hello", "x".repeat(100_000))),
    JSON.stringify({ type: "turn_commit", turn_id: "t", timestamp_ms: 1, totals: COMMIT_TOTALS }),
    "",
  ].join("\n");

const FUTURE_META = META.replace('"version":1', '"version":99');

describe("what stands where a session should", () => {
  test("an empty file is a session without messages, and can be gone on with", async () => {
    const workspace = createWorkspace();
    putSession(workspace, "s", "");
    expect(await clawJson(workspace, ["load-session", "s"])).toMatchObject({ messages_count: 0 });
    expect(await append(workspace)).toMatchObject({ messages_count: 1, effect: "updated" });
    expect(readFileSync(sessionFile(workspace, "s"), "utf8")).toMatch(/^{"type":"session_meta"/);
  });

  test("a folder is named as such and left alone", async () => {
    const workspace = createWorkspace();
    mkdirSync(sessionFile(workspace, "s"), { recursive: true });
    for (const args of [
      ["load-session", "s"],
      ["delete-session", "s"],
      ["export", "--session-id", "s"],
    ]) {
      expect((await refused(workspace, args)).code).toBe("SESSION_PATH_IS_DIRECTORY");
    }
    expect((await refused(workspace, ["flush-transcript", "x", "--session-id", "s"])).code).toBe(
      "SESSION_PATH_IS_DIRECTORY",
    );
    await expectOthersServed(workspace);
  });

  test.for(["/etc/passwd", "nowhere", "s.jsonl"])("a link to %s is never followed", async (target) => {
    const workspace = createWorkspace();
    mkdirSync(sessionsFolder(workspace), { recursive: true });
    symlinkSync(target, sessionFile(workspace, "s"));
    const before = snapshot(workspace.cwd);
    for (const args of [
      ["load-session", "s"],
      ["delete-session", "s"],
      ["export", "--session-id", "s"],
      ["flush-transcript", "x", "--session-id", "s"],
    ]) {
      expect((await refused(workspace, args)).code).toBe("SESSION_UNREADABLE");
    }
    expect(snapshot(workspace.cwd)).toEqual(before);
    await expectOthersServed(workspace);
  });

  test("a named pipe holds nobody up", async () => {
    const workspace = createWorkspace();
    mkdirSync(sessionsFolder(workspace), { recursive: true });
    expect(spawnSync("mkfifo", [sessionFile(workspace, "s")]).status).toBe(0);
    for (const args of [
      ["load-session", "s"],
      ["export", "--session-id", "s"],
      ["delete-session", "s"],
    ]) {
      expect((await refused(workspace, args)).code).toBe("SESSION_UNREADABLE");
    }
    expect((await refused(workspace, ["flush-transcript", "x", "--session-id", "s"])).code).toBe("SESSION_UNREADABLE");
    await expectOthersServed(workspace);
  });

  test("a named pipe in place of a lock or a key's record holds nobody up", async () => {
    const workspace = createWorkspace();
    await seed(workspace, "s");
    mkdirSync(`${workspace.cwd}/.claw/idempotency`);
    spawnSync("mkfifo", [lockFile(workspace, "s"), keyFile(workspace, "k")]);
    const bounded = (args: string[]) =>
      spawnSync("timeout", ["-s", "KILL", "8", process.execPath, BINARY, ...args, "--output-format", "json"], {
        cwd: workspace.cwd,
      });
    expect(bounded(["list-sessions"]).status).toBe(0);
    expect(bounded(["init", "--idempotency-key", "k"]).signal).toBeNull();
  });
});

describe("the content of a session", () => {
  test.for<[string, string, number]>([
    ["no JSON", `${META}\n${MESSAGE}\n{"type":"mess\n${MESSAGE}\n`, 3],
    ["no object", `${META}\n[1,2]\n`, 2],
    ["no type", `${META}\n\n{"kind":"message"}\n`, 3],
    ["a message without blocks", `${META}\n{"type":"message","message":{"role":"user"}}\n`, 2],
    ["a message of nobody", `${META}\n{"type":"message","message":{"role":"ghost","blocks":[]}}\n`, 2],
    ["a version that is no number", `{"type":"session_meta","version":"one"}\n`, 1],
    ["negative usage", `${META}\n${MESSAGE.replace('"blocks"', '"usage":{"input_tokens":-5},"blocks"')}\n`, 2],
  ])("a broken line (%s) is named by its number, and nothing is changed", async ([, content, line]) => {
    const workspace = createWorkspace();
    putSession(workspace, "s", content);
    const before = snapshot(workspace.cwd);
    for (const args of [
      ["load-session", "s"],
      ["export", "--session-id", "s"],
      ["flush-transcript", "more", "--session-id", "s"],
    ]) {
      const error = await refused(workspace, args);
      expect(error).toMatchObject({ code: "SESSION_CORRUPT", line });
      expect(error.message).toContain(`line ${line}`);
    }
    expect(snapshot(workspace.cwd)).toEqual(before);
    await expectOthersServed(workspace);
  });

  test("bytes that are no text are named by their line", async () => {
    const workspace = createWorkspace();
    putSession(workspace, "s", Buffer.concat([Buffer.from(`${META}\n`), Buffer.from([0xff, 0xfe, 0x00, 0x0a])]));
    expect(await refused(workspace, ["load-session", "s"])).toMatchObject({ code: "SESSION_CORRUPT", line: 2 });
    putSession(workspace, "s", randomBytes(100_000));
    expect((await refused(workspace, ["flush-transcript", "x", "--session-id", "s"])).code).toBe("SESSION_CORRUPT");
  });

  test("a torn last line is set aside, and what came before counts", async () => {
    const workspace = createWorkspace();
    const whole = readFileSync(await seed(workspace, "s"), "utf8");
    putSession(workspace, "s", `${whole}${MESSAGE.slice(0, 40)}`);
    expect(await clawJson(workspace, ["load-session", "s"])).toMatchObject({
      messages_count: 1,
      warnings: [expect.stringContaining("SESSION_TORN_TAIL")],
    });
    expect(await append(workspace)).toMatchObject({ messages_count: 2 });
    const aside = readdirSync(sessionsFolder(workspace)).filter((name) => name.includes("torn"));
    expect(aside.map((name) => readFileSync(`${sessionsFolder(workspace)}/${name}`, "utf8"))).toEqual([
      MESSAGE.slice(0, 40),
    ]);
  });

  test("a last line that only lacks its end counts the same however often it is read", async () => {
    const workspace = createWorkspace();
    putSession(workspace, "s", `${META}\n${MESSAGE}`);
    const first = await clawJson(workspace, ["load-session", "s"]);
    const second = await clawJson(workspace, ["load-session", "s"]);
    expect([first["messages_count"], second["messages_count"]]).toEqual([1, 1]);
    expect(JSON.stringify(first["warnings"] ?? [])).not.toContain("set aside");
  });

  test("what was set aside goes with its session", async () => {
    const workspace = createWorkspace();
    putSession(workspace, "s", `${META}\n{"type":"message","text":"private`);
    await clawJson(workspace, ["load-session", "s"]);
    await clawJson(workspace, ["delete-session", "s"]);
    expect(readdirSync(sessionsFolder(workspace))).toEqual([]);
  });

  test("unknown records and unknown fields stay byte for byte", async () => {
    const workspace = createWorkspace();
    const content = [
      META.replace("}", ',"later":{"a":[1, 2]}}'),
      '{"type":"hologram",  "depth": 3}',
      MESSAGE.replace('"type":"message"', '"x": null,"type":"message"'),
      '{"type":"message","message":{"role":"user","mood":"good","blocks":[{"type":"smell","of":"sea"}]}}',
      "",
    ].join("\n");
    putSession(workspace, "s", content);
    expect(await append(workspace)).toMatchObject({ messages_count: 3 });
    expect(readFileSync(sessionFile(workspace, "s"), "utf8").startsWith(content)).toBe(true);
    const body = await clawJson(workspace, ["export", "--session-id", "s"]);
    expect(body["markdown"]).toContain('"of":"sea"');
  });

  test("CRLF line ends are read and kept", async () => {
    const workspace = createWorkspace();
    const content = `${META}\r\n${MESSAGE}\r\n`;
    putSession(workspace, "s", content);
    expect(await append(workspace)).toMatchObject({ messages_count: 2 });
    expect(readFileSync(sessionFile(workspace, "s"), "utf8").startsWith(content)).toBe(true);
    expect(await clawJson(workspace, ["load-session", "s"])).toMatchObject({ messages_count: 2 });
  });

  test.for<[string, string]>([
    ["small", `${FUTURE_META}\n`],
    ["small and torn", `${FUTURE_META}\n{"type":"hol`],
    ["large", bigSession(FUTURE_META)],
  ])("a session of a later version (%s) is neither read nor changed", async ([, content]) => {
    const workspace = createWorkspace();
    putSession(workspace, "s", content);
    const before = snapshot(workspace.cwd);
    for (const args of [
      ["load-session", "s"],
      ["flush-transcript", "more", "--session-id", "s"],
    ]) {
      expect((await refused(workspace, args)).code).toBe("SESSION_VERSION_UNSUPPORTED");
    }
    expect(snapshot(workspace.cwd)).toEqual(before);
  });

  test.for<[string, string]>([
    ["text for a time", '"yesterday"'],
    ["a time beyond all calendars", "9000000000000000"],
    ["a fraction", "0.5"],
    ["null", "null"],
  ])("a creation time that is none (%s) breaks neither the session nor the list", async ([, time]) => {
    const workspace = createWorkspace();
    putSession(workspace, "s", `${META.replace("1700000000000", time)}\n${MESSAGE}\n`);
    await expectOthersServed(workspace);
    expect(await clawJson(workspace, ["load-session", "s"])).toMatchObject({ messages_count: 1 });
  });

  test.for([
    '{"type":"text"}',
    '{"type":"text","text":7}',
    '{"type":"thinking"}',
    '{"type":"tool_use"}',
    '{"type":"tool_use","id":"a","name":"b","input":{"path":"x"}}',
    '{"type":"tool_result","tool_use_id":"a","output":null}',
    '{"type":"tool_result","tool_use_id":"a","tool_name":"b","output":[{"type":"text","text":"x"}],"is_error":false}',
  ])("a block of a strange shape can be exported: %s", async (block) => {
    const workspace = createWorkspace();
    putSession(workspace, "s", `${META}\n{"type":"message","message":{"role":"user","blocks":[${block}]}}\n`);
    expect(await clawJson(workspace, ["load-session", "s"])).toMatchObject({ messages_count: 1 });
    const body = await clawJson(workspace, ["export", "--session-id", "s"]);
    expect(body).toMatchObject({ exit_code: 0, messages: 1 });
    expect(body["markdown"]).not.toContain("undefined");
  });

  test("a record nested beyond all measure is refused or shown, never a bug of claw", async () => {
    const workspace = createWorkspace();
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    putSession(workspace, "s", `${META}\n${MESSAGE.replace('"type"', `"deep":${deep},"type"`)}\n`);
    const body = await clawJson(workspace, ["export", "--session-id", "s", "--format", "json"]);
    expect(body.error?.code).not.toBe("INTERNAL_ERROR");
  });
});

describe("the size of a session", () => {
  const LARGEST_KB = 320_000;

  /** Runs with a small heap and writes down how much memory was used at most. */
  const measured = (workspace: Workspace) => {
    const path = `${workspace.home}/memory`;
    const code = `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(path)}, String(process.resourceUsage().maxRSS)));`;
    const { NODE_OPTIONS } = preload(workspace, code);
    const options = { env: { NODE_OPTIONS: `${NODE_OPTIONS} --max-old-space-size=256` } };
    return { options, usedKb: () => Number(readFileSync(path, "utf8")) };
  };

  test("a line of 40 MB is named by its number", async () => {
    const workspace = createWorkspace();
    const { options, usedKb } = measured(workspace);
    const path = putSession(workspace, "s", `${META}\n`);
    writeFileSync(path, `${MESSAGE.replace("hello", "x".repeat(40_000_000))}\n`, { flag: "a" });
    expect(await refused(workspace, ["load-session", "s"], options)).toMatchObject({
      code: "SESSION_CORRUPT",
      line: 2,
    });
    expect(usedKb()).toBeLessThan(LARGEST_KB);
    const { sessions } = await clawJson(workspace, ["list-sessions"], options);
    expect(sessions).toMatchObject([{ id: "s", message_count: null }]);
  });

  test("a gigabyte of nothing is read in bounded memory", async () => {
    const workspace = createWorkspace();
    const { options, usedKb } = measured(workspace);
    truncateSync(putSession(workspace, "s", ""), 1024 ** 3);
    expect((await refused(workspace, ["load-session", "s"], options)).code).toBe("SESSION_CORRUPT");
    expect(usedKb()).toBeLessThan(LARGEST_KB);
    const { sessions } = await clawJson(workspace, ["list-sessions"], options);
    expect(sessions).toMatchObject([{ id: "s", message_count: null }]);
  });

  test("nothing is appended behind a line without end, in bounded memory", async () => {
    const workspace = createWorkspace();
    const { options, usedKb } = measured(workspace);
    const path = putSession(workspace, "s", `${META}\n`);
    truncateSync(path, 600 * 1024 ** 2);
    const error = await refused(workspace, ["flush-transcript", "x", "--session-id", "s"], options);
    expect(error.code).toBe("SESSION_CORRUPT");
    expect(usedKb()).toBeLessThan(LARGEST_KB);
    expect(statSync(path).size).toBe(600 * 1024 ** 2);
    expect(readdirSync(sessionsFolder(workspace))).toEqual(["s.jsonl"]);
  });
});
