import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { results } from "./agent-scene.ts";
import type { Cage, Call, EscapeScene } from "./escape-scene.ts";
import { decisionsOf, openEscapeScene } from "./escape-scene.ts";
import type { Body } from "./run-claw.ts";

/** A call and what is to become of it. */
type Case = readonly [call: Call, decision: "made" | "denied"];

const MCP_SERVER = fileURLToPath(
  new URL("../../packages/claw/src/agent/mcp/testing/stdio-server.mjs", import.meta.url),
);
const mcpServers = { x: { command: process.execPath, args: [MCP_SERVER] } };

const READ_ONLY: Cage = { mode: "read-only", sandboxed: false };
const WRITING: Cage = { mode: "workspace-write", sandboxed: false };
const EVERYTHING: Cage = { mode: "danger-full-access", sandboxed: false };

const bash = (command: string): Call => ["bash", { command }];
const read = (path: string): Call => ["read_file", { path }];
const write = (path: string): Call => ["write_file", { path, content: "x" }];

async function startPage(): Promise<string> {
  const server = createServer((_request, response) => void response.end("a page"));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`;
}

interface Seen {
  readonly scene: EscapeScene;
  readonly body: Body;
}

/** A denial ends nothing. */
const GONE_ON = { body: { exit_code: 0, message: "Done.", stop_reason: "completed" } };

/** Makes all the calls in one run, and compares what was decided. */
async function decide(
  cases: (scene: EscapeScene) => readonly Case[],
  cage: Cage,
  settings: JsonObject = {},
  flags: readonly string[] = [],
): Promise<Seen> {
  const scene = await openEscapeScene((open) => ({ calls: cases(open).map(([call]) => call) }), cage, settings);
  for (const folder of ["docs", "asked"]) mkdirSync(join(scene.root, folder));
  for (const file of ["secret.txt", "docs/a.md", "docs/a.lock", "asked/a"]) {
    writeFileSync(join(scene.root, file), `text of ${file}\n`);
  }
  const body = await scene.ask("go", ...flags);
  expect({ body }).toMatchObject(GONE_ON);
  const decisions = decisionsOf(body);
  const seen = cases(scene).map(([call], index) => [call, decisions[index]]);
  expect(seen).toEqual(cases(scene));
  const told = results(body);
  const denied = cases(scene).flatMap(([[name]], index) => (decisions[index] === "denied" ? [{ name, index }] : []));
  expect(body["permission_denials"]).toEqual(
    denied.map(({ index }) => ({
      tool_name: told[index]?.["tool_name"],
      tool_use_id: told[index]?.["tool_use_id"],
      tool_input: cases(scene)[index]?.[0][1],
      reason: told[index]?.output.replace(/^Not allowed: /, ""),
    })),
  );
  return { scene, body };
}

describe("modes", () => {
  const table = (url: string, made: readonly string[]): Case[] => {
    const calls: Record<string, Call> = {
      read: read("sub/a"),
      grep: ["grep_search", { pattern: "a" }],
      glob: ["glob_search", { pattern: "*" }],
      todo: ["todo_write", { todos: [] }],
      look: bash("ls sub"),
      write: write("new"),
      edit: ["edit_file", { path: "sub/a", old_string: "a", new_string: "b" }],
      touch: bash("touch sub/new"),
      redirect: bash("echo x > sub/new"),
      fetch: ["web_fetch", { url }],
      readsForeign: ["mcp__x__echo", { text: "hello" }],
      foreign: ["mcp__x__sum", {}],
      destroysForeign: ["mcp__x__refuse", {}],
      reachesForeign: ["mcp__x__look_at", {}],
    };
    return Object.entries(calls).map(([name, call]) => [call, made.includes(name) ? "made" : "denied"]);
  };
  const reading = ["read", "grep", "glob", "todo", "look", "readsForeign"];
  const writing = [...reading, "write", "edit", "touch", "foreign"];
  const all = [...writing, "redirect", "fetch", "destroysForeign", "reachesForeign"];

  test.each([
    [READ_ONLY, reading],
    [{ ...READ_ONLY, sandboxed: true }, [...reading, "touch", "redirect"]],
    [WRITING, writing],
    [{ ...WRITING, sandboxed: true }, [...writing, "redirect"]],
    [EVERYTHING, all],
  ] as const)("%o allows %o", async (cage, made) => {
    const url = await startPage();
    const { scene } = await decide(() => table(url, made), cage, { mcpServers });
    expect(readFileSync(join(scene.root, "sub", "a"), "utf8")).toBe(cage.mode === "read-only" ? "a\n" : "b\n");
  });
});

describe("rules", () => {
  test("allow what they say and nothing beside it", async () => {
    const url = await startPage();
    const permissions = {
      allow: [
        "Write(docs/**)",
        "EDIT_FILE(sub/a)",
        "bash(seq:*)",
        "BashTool(expr 1 + 1)",
        "WebFetch(domain:127.0.0.1)",
        "mcp__X__sum",
        "read_file(../outside/victim)",
      ],
    };
    expect(
      await decide(
        ({ places: [beside] }) => [
          [write("docs/new.md"), "made"],
          [write("docs/deep/new.md"), "made"],
          [write("docs/../new.md"), "denied"],
          [write("docs2/new.md"), "denied"],
          [["FileWriteTool", { file_path: "docs/other.md", content: "x" }], "made"],
          [["edit_file", { path: "docs/a.md", old_string: "text", new_string: "x" }], "denied"],
          [["Edit", { path: "./sub/a", old_string: "a", new_string: "b" }], "made"],
          [bash("seq 3"), "made"],
          [bash("seq 3 && seq 4 | wc -l"), "made"],
          [bash("seq 3 > new"), "denied"],
          [bash("seq 3; touch new"), "denied"],
          [bash("seq $(touch new)"), "denied"],
          [bash("seqx 3"), "denied"],
          [bash("expr 1 + 1"), "made"],
          [bash("expr 1 + 2"), "denied"],
          [["web_fetch", { url }], "made"],
          [["web_fetch", { url: url.replace("127.0.0.1", "localhost") }], "denied"],
          [["mcp__x__sum", {}], "made"],
          [["mcp__x__flood", {}], "denied"],
          [read(`${beside.path}/victim`), "made"],
          [read("victim-beside"), "made"],
          [read(`${beside.path}/canary`), "denied"],
          [write(`${beside.path}/victim`), "denied"],
        ],
        READ_ONLY,
        { mcpServers, permissions },
      ),
    ).toMatchObject(GONE_ON);
  });

  test("deny before they ask, and ask before they allow, in every mode", async () => {
    const permissions = {
      allow: ["*", "read_file", "bash", "bash(seq:*)", "write_file(**)"],
      ask: ["BASH(seq 9:*)", "Read(asked/**)"],
      deny: ["read_file(secret.txt)", "Edit(docs/*.lock)", "bash(seq 7:*)", "mcp__x__echo", "TodoWrite"],
    };
    const { body } = await decide(
      ({ root }) => [
        [read("secret.txt"), "denied"],
        [read("docs/../secret.txt"), "denied"],
        [read(`${root}/secret.txt`), "denied"],
        [["grep_search", { pattern: "text", path: "secret.txt" }], "denied"],
        [["grep_search", { pattern: "text of", output_mode: "content" }], "made"],
        [["glob_search", { pattern: "*" }], "made"],
        [write("secret.txt"), "denied"],
        [["edit_file", { path: "secret.txt", old_string: "text", new_string: "x" }], "denied"],
        [read("asked/a"), "denied"],
        [write("docs/a.lock"), "denied"],
        [["edit_file", { path: "docs/a.lock", old_string: "text", new_string: "x" }], "denied"],
        [write("docs/a.md"), "made"],
        [bash("seq 3"), "made"],
        [bash("seq 7"), "denied"],
        [bash("seq 3 && seq 7 8"), "denied"],
        [bash("/usr/bin/seq 7"), "denied"],
        [bash("env seq 7"), "denied"],
        [bash("echo 'seq 7' | sh"), "denied"],
        [bash("seq 9"), "denied"],
        [["mcp__x__echo", { text: "hello" }], "denied"],
        [["mcp__x__sum", {}], "made"],
        [["TODO_WRITE", { todos: [] }], "denied"],
      ],
      EVERYTHING,
      { mcpServers, permissions },
    );
    expect(JSON.stringify(results(body))).not.toMatch(/text of (?:secret|asked)/);
    expect(results(body)[5]?.output).not.toContain("secret.txt");
  });

  test.each([true, false])("for files hold for commands as well, sandbox: %s", async (sandboxed) => {
    const permissions = { deny: ["Read(secret.txt)", "Read(asked/**)", "Read(**/*.lock)", "Edit(docs/a.md)"] };
    const inside = sandboxed ? "made" : "denied";
    const { scene, body } = await decide(
      () => [
        [bash("cat sub/a"), "made"],
        [bash("cat docs/a.md"), "made"],
        [bash("cat secret.txt"), "denied"],
        [bash("cat sub/../secret.txt"), "denied"],
        [bash("cat ./'sec'ret.txt"), "denied"],
        [bash("cat < secret.txt"), "denied"],
        [bash("head asked/a docs/a.lock"), "denied"],
        [bash("cd asked && cat a"), "denied"],
        [bash("cd sub && cat ../asked/a"), inside],
        [bash("cat s*t.txt; cat a*/*"), inside],
        [bash("grep -r text asked docs/a.md"), "denied"],
        [bash("grep -r 'text of [sa]' ."), inside],
        [bash("cp -r . /tmp/copy; cat /tmp/copy/s*t.txt /tmp/copy/a*/a"), inside],
        [bash("mv as* moved; cat moved/a"), inside],
        [bash("echo x > docs/a.md"), "denied"],
        [bash("cd docs; echo x > a.md; rm -f a.m*; mv ../docs ../other"), inside],
        [bash("touch docs/a.md"), "denied"],
      ],
      { mode: "workspace-write", sandboxed },
      { permissions },
    );
    expect(JSON.stringify(results(body))).not.toMatch(/text of (?:secret|asked)/);
    expect(readFileSync(join(scene.root, "docs", "a.md"), "utf8")).toBe("text of docs/a.md\n");
  });

  test("against commands hold where words cannot be read, in the sandbox as well", async () => {
    expect(
      await decide(
        () => [
          [bash("seq 3"), "made"],
          [bash("seq 7"), "denied"],
          [bash("s=eq; s$s 7"), "denied"],
          [bash("echo c2VxIDcK | base64 -d | $SHELL"), "denied"],
        ],
        { mode: "workspace-write", sandboxed: true },
        { permissions: { deny: ["bash(seq 7:*)"] } },
      ),
    ).toMatchObject(GONE_ON);
  });

  test.each([
    ["*", ["denied", "denied", "denied", "denied"]],
    ["mcp__x", ["made", "made", "denied", "denied"]],
    ["mcp__x__*", ["made", "made", "denied", "denied"]],
    ["mcp__x__sum", ["made", "made", "made", "denied"]],
    ["Bash", ["made", "denied", "made", "made"]],
    // One that cannot be read closes all of its tool.
    ["bash(rm", ["made", "denied", "made", "made"]],
    ["Read(**)", ["denied", "made", "made", "made"]],
  ] as const)("deny %s", async (rule, [reads, commands, echoes, sums]) => {
    expect(
      await decide(
        () => [
          [read("sub/a"), reads],
          [bash("ls"), commands],
          [["mcp__x__echo", { text: "hello" }], echoes],
          [["mcp__x__sum", {}], sums],
        ],
        EVERYTHING,
        { mcpServers, permissions: { allow: ["*"], deny: [rule] } },
      ),
    ).toMatchObject(GONE_ON);
  });

  test("allow every tool of a server, and all that is ordinary", async () => {
    const cases = (decision: "made" | "denied"): Case[] => [
      [["mcp__x__refuse", {}], "made"],
      [["mcp__x__look_at", {}], "made"],
      [write("new"), decision],
      [bash("expr 1 + 1"), decision],
      [write("../outside/new"), "denied"],
      [write(".claw/settings.json"), "denied"],
    ];
    expect(
      await decide(() => cases("denied"), READ_ONLY, { mcpServers, permissions: { allow: ["mcp__x__*"] } }),
    ).toMatchObject(GONE_ON);
    expect(await decide(() => cases("made"), READ_ONLY, { mcpServers, permissions: { allow: ["*"] } })).toMatchObject(
      GONE_ON,
    );
  });
});

test("--allowedTools leaves no other tool, for sub-agents neither, and is stricter than any rule", async () => {
  const { scene, body } = await decide(
    () => [
      [read("sub/a"), "made"],
      [bash("touch ran"), "made"],
      [["agent", { prompt: "touch ran" }], "made"],
      [["Glob", { pattern: "*" }], "made"],
    ],
    EVERYTHING,
    { permissions: { allow: ["*"] } },
    ["--allowedTools", "Read,glob_search"],
  );
  expect(results(body).map(({ output }) => /^There is no tool '(\w+)'/.exec(output)?.[1])).toEqual([
    undefined,
    "bash",
    "agent",
    undefined,
  ]);
  const offered = scene.requests().map(({ body: sent }) => (sent as { tools: { name: string }[] }).tools);
  const names = offered.map((tools) => tools.map(({ name }) => name).toSorted());
  expect(names).toEqual([
    ["glob_search", "read_file"],
    ["glob_search", "read_file"],
  ]);
});

describe("hooks", () => {
  const answering = (matcher: string, answer: JsonObject): JsonObject => ({
    matcher,
    hooks: [{ type: "command", command: `echo '${JSON.stringify({ hookSpecificOutput: answer })}'` }],
  });
  const deciding = (matcher: string, decision: string): JsonObject =>
    answering(matcher, { permissionDecision: decision, permissionDecisionReason: `a hook says ${decision}` });

  test("grant, ask and deny, within what rules deny", async () => {
    const hooks = {
      PreToolUse: [
        deciding("write_file", "allow"),
        deciding("Glob", "ask"),
        deciding("grep_search", "deny"),
        deciding("grep_search", "allow"),
        deciding("mcp__*", "perhaps"),
        { matcher: "bash", hooks: [{ type: "command", command: "echo no commands today >&2; exit 2" }] },
        { matcher: "todo_write", hooks: [{ type: "command", command: "exit 1" }] },
      ],
    };
    const { body } = await decide(
      () => [
        [read("sub/a"), "made"],
        [write("new"), "made"],
        [write("secret.txt"), "denied"],
        [["glob_search", { pattern: "*" }], "denied"],
        [["grep_search", { pattern: "a" }], "denied"],
        [["mcp__x__echo", { text: "hello" }], "denied"],
        [bash("ls"), "denied"],
        [["todo_write", { todos: [] }], "denied"],
      ],
      READ_ONLY,
      { mcpServers, hooks, permissions: { deny: ["Write(secret.txt)"] } },
    );
    const reasons = (body["permission_denials"] as { reason: string }[]).map(({ reason }) => reason);
    expect(reasons[1]).toContain("a hook says ask");
    expect(reasons[2]).toBe("a hook says deny");
    expect(reasons[4]).toBe("no commands today");
  });

  test("that change a call do not get around what is judged", async () => {
    const hooks = { PreToolUse: [answering("read_file", { updatedInput: { path: "../outside/canary" } })] };
    const scene = await openEscapeScene(() => ({ calls: [read("sub/a")] }), WRITING, { hooks });
    const body = await scene.ask("go");
    expect(decisionsOf(body)).toEqual(["denied"]);
    scene.expectUnharmed(body);
  });
});
