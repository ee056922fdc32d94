import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ErrorCode, RunResult } from "claw-contract";
import { describe, expect, test } from "vitest";
import { jsonLines } from "../../packages/claw/src/process/testing/json-lines.ts";
import { clawJson, responseJson, runClaw } from "./run-claw.ts";
import { CLAUDE, FINE, MAX_TURNS, print, putAgent, refusedBy } from "./script-agent.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

function prepare(script: string): { workspace: Workspace; env: NodeJS.ProcessEnv } {
  const workspace = createWorkspace();
  return { workspace, env: putAgent(workspace, script) };
}

const resultOf = (body: Readonly<Record<string, unknown>>): RunResult => body["result"] as RunResult;

describe("a run", () => {
  test("in JSON is one answer with the result", async () => {
    const { workspace, env } = prepare(FINE);
    const body = await clawJson(workspace, ["run", "do it"], { env });
    expect(body).toMatchObject({ exit_code: 0, effect: "updated" });
    expect(resultOf(body)).toMatchObject({
      harness: "claude-code",
      output: "hello",
      succeeded_cleanly: true,
      session_id: "s1",
      cost_usd: 0.0123,
      diagnostics: ["apiKeySource=none"],
      raw_messages_count: 3,
      stream_events_count: 3,
    });
  });

  test("has its events in the answer only when they are asked for", async () => {
    const { workspace, env } = prepare(FINE);
    const events = [CLAUDE.init, CLAUDE.hello, CLAUDE.result].map((line) => JSON.parse(line) as unknown);
    const short = resultOf(await clawJson(workspace, ["run", "do it"], { env }));
    expect(["raw_messages", "stream_events"].filter((name) => Object.hasOwn(short, name))).toEqual([]);
    const whole = resultOf(await clawJson(workspace, ["run", "do it", "--include-events"], { env }));
    expect(whole).toMatchObject({ raw_messages: events, stream_events: events });
    const refused = prepare(refusedBy(429));
    const { stdout } = await runClaw(refused.workspace, ["run", "hi", "--output-format", "json"], refused);
    expect(stdout.length).toBeLessThan(3000);
  });

  test("in text is what the agent said and a short report; diagnostics stand on stderr", async () => {
    const { workspace, env } = prepare(FINE);
    const { stdout, stderr, exitCode } = await runClaw(workspace, ["run", "do it", "--subject", "nightly\n1"], { env });
    expect(stdout).toMatch(
      /^hello\n\nclaude-code · m1 · 1 turn · 3 tokens in, 5 out · \$0\.0123 · [\d.]+ s\nsession s1\n$/,
    );
    expect([stderr, exitCode]).toEqual(["claw.run: apiKeySource=none (nightly 1)\n", 0]);
  });

  test("that fails tells its diagnostics all the same", async () => {
    const { workspace, env } = prepare(`${print(CLAUDE.init)}\necho '{bad'\n${refusedBy(429)}`);
    const { stderr } = await runClaw(workspace, ["run", "do it", "--subject", "job"], { env });
    expect(stderr.split("\n").slice(0, 3)).toEqual([
      "claw.run: skipping malformed stream-json line: line 2: {bad",
      "claw.run: apiKeySource=none (job)",
      expect.stringMatching(/^error\[/),
    ]);
  });

  test("that is only tried shows the command that would run", async () => {
    const { workspace, env } = prepare(FINE);
    const argv = ["run", "do it", "--dry-run", "--on-permission", "command", "--permission-command", "true"];
    const commands = await Promise.all([argv.slice(0, 3), argv].map((line) => clawJson(workspace, line, { env })));
    const isTwoWay = commands.map(({ would_run }) => (would_run as string[]).includes("--permission-prompt-tool"));
    expect(isTwoWay).toEqual([false, true]);
  });

  test("by whatever is installed says that it cannot be started, rather than that there is none", async () => {
    const { workspace, env } = prepare(FINE);
    chmodSync(join(workspace.home, "bin/claude"), 0o644);
    expect((await clawJson(workspace, ["run", "do it"], { env })).error?.code).toBe("HARNESS_NOT_EXECUTABLE");
  });

  test("in stream-json passes events on as they come and ends with the result", async () => {
    const { workspace, env } = prepare(
      `${print(CLAUDE.init)}\n${print('{"type":"brand_new","n":1}', CLAUDE.hello, CLAUDE.result)}`,
    );
    const { stdout, stderr, exitCode } = await runClaw(workspace, ["run", "do it", "--output-format", "stream-json"], {
      env,
    });
    const lines = jsonLines(stdout);
    expect(lines.slice(0, -1)).toEqual([
      JSON.parse(CLAUDE.init),
      { type: "native", harness: "claude-code", event: { type: "brand_new", n: 1 } },
      JSON.parse(CLAUDE.hello),
      JSON.parse(CLAUDE.result),
    ]);
    expect(lines.at(-1)).toMatchObject({ type: "result", subtype: "success", is_error: false, exit_code: 0 });
    expect(resultOf(lines.at(-1) ?? {})).toMatchObject({ output: "hello", raw_messages_count: 4 });
    expect([stderr, exitCode]).toEqual(["", 0]);
  });

  test("takes its prompt from standard input, however long, and hands it on", async () => {
    const { workspace, env } = prepare(`wc -c > "$HOME/size"\n${FINE}`);
    await clawJson(workspace, ["run"], { env, stdin: "p".repeat(300_000) });
    expect(Number(readFileSync(join(workspace.home, "size"), "utf8"))).toBe(300_000);
  });

  test("takes no notice of standard input when the line has a prompt, and gives the agent none", async () => {
    const { workspace, env } = prepare(`cat > "$HOME/stdin"; printf '%s' "$2" > "$HOME/prompt"\n${FINE}`);
    await clawJson(workspace, ["run", "do it"], { env, stdin: "something else" });
    const read = (name: string): string => readFileSync(join(workspace.home, name), "utf8");
    expect([read("stdin"), read("prompt")]).toEqual(["", "do it"]);
  });

  test.each([
    ["claude", "claude-code", ["--skill", "demo"], "/demo one two"],
    ["codex", "codex", ["--skill", "demo"], "$demo one two"],
  ] as const)("for a skill tells %s so", async (name, harness, flags, prompt) => {
    const workspace = createWorkspace();
    const env = putAgent(workspace, `cat > "$HOME/stdin"; echo "$*" > "$HOME/argv"`, name);
    await clawJson(workspace, ["run", "one two", "--harness", harness, ...flags], { env });
    const given = ["stdin", "argv"].map((file) => readFileSync(join(workspace.home, file), "utf8")).join("\n");
    expect(given).toContain(prompt);
  });

  test("uses the first agent that is installed", async () => {
    const workspace = createWorkspace();
    const env = putAgent(
      workspace,
      `echo '{"type":"item.completed","item":{"type":"agent_message","text":"codex here"}}'`,
      "codex",
    );
    expect(resultOf(await clawJson(workspace, ["run", "hi"], { env }))).toMatchObject({
      harness: "codex",
      output: "codex here",
    });
    putAgent(workspace, FINE, "claude");
    expect(resultOf(await clawJson(workspace, ["run", "hi"], { env }))).toMatchObject({ harness: "claude-code" });
  });

  test("works in the folder it is given", async () => {
    const { workspace, env } = prepare(`pwd > "$HOME/pwd"\n${FINE}`);
    await clawJson(workspace, ["run", "hi", "--cwd", workspace.home], { env });
    expect(readFileSync(join(workspace.home, "pwd"), "utf8")).toBe(`${workspace.home}\n`);
  });
});

describe("the environment of an agent", () => {
  async function environmentOf(flags: readonly string[], env: NodeJS.ProcessEnv): Promise<Record<string, string>> {
    const { workspace, env: found } = prepare(`env -0 > "$HOME/env"\n${FINE}`);
    await clawJson(workspace, ["run", "hi", ...flags], { env: { ...found, ...env } });
    const entries = readFileSync(join(workspace.home, "env"), "utf8").split("\0").filter(Boolean);
    return Object.fromEntries(
      entries.map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
    );
  }

  test("has nothing of another agent's session, and its credentials", async () => {
    const session = {
      CLAUDECODE: "1",
      CLAUDE_CODE_SSE_PORT: "1",
      CLAUDE_CODE_ENTRYPOINT: "cli",
      CODEX_SANDBOX: "seatbelt",
    };
    const env = await environmentOf([], { ...session, ANTHROPIC_API_KEY: "k", CLAUDE_CODE_OAUTH_TOKEN: "t" });
    expect(
      Object.keys(env)
        .filter((name) => /^(CLAUDE|CODEX|ANTHROPIC)/.test(name))
        .toSorted(),
    ).toEqual(["ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"]);
  });

  test("can be changed, value by value, and without keys", async () => {
    const flags = ["--env", "A=1,2=3", "--env", "EMPTY=", "--env", "CLAUDECODE", "--no-api-key", "--sync-tasks"];
    const env = await environmentOf(flags, { CLAUDECODE: "1", ANTHROPIC_API_KEY: "k", ANTHROPIC_AUTH_TOKEN: "t" });
    expect(env).toMatchObject({ A: "1,2=3", EMPTY: "", CLAUDECODE: "1", CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: "1" });
    expect([env["ANTHROPIC_API_KEY"], env["ANTHROPIC_AUTH_TOKEN"]]).toEqual([undefined, undefined]);
  });

  test("is not changed by something that is no variable", async () => {
    const { workspace, env } = prepare(FINE);
    const { error } = await clawJson(workspace, ["run", "hi", "--env", "=x"], { env });
    expect(error).toMatchObject({ code: "INVALID_FLAG_VALUE", target: "--env" });
  });
});

/** What agents do, and how the call ends: code, exit in `response`, in `claw`. */
const ENDINGS: readonly (readonly [string, string, ErrorCode | null, number, number, string | null])[] = [
  ["is refused for its rate", refusedBy(429), "RATE_LIMIT_EXCEEDED", 11, 1, "rate_limit"],
  ["is refused for its key", refusedBy(401), "TOKEN_INVALID", 8, 1, "auth"],
  ["meets a model that is down", refusedBy(529), "UPSTREAM_UNAVAILABLE", 12, 1, "api"],
  ["asks for something impossible", refusedBy(404), "UPSTREAM_REJECTED", 1, 1, "api"],
  ["reaches its number of turns", MAX_TURNS, null, 0, 0, "api"],
  ["fails and says why on stderr", "echo 'out of luck' >&2; exit 9", "HARNESS_FAILED", 1, 1, null],
  ["fails without a word", "exit 9", "HARNESS_FAILED", 1, 1, null],
  ["says nothing at all", "exit 0", "HARNESS_FAILED", 1, 1, null],
  ["gives an empty answer", print(CLAUDE.init, CLAUDE.result), "HARNESS_FAILED", 1, 1, null],
  ["loses its result before it said anything", print(CLAUDE.init), "HARNESS_FAILED", 1, 1, "subprocess"],
  ["speaks and loses its result", print(CLAUDE.init, CLAUDE.hello), null, 0, 0, null],
  ["is killed", `${print(CLAUDE.hello)}\nkill -9 $$`, "HARNESS_FAILED", 1, 1, "subprocess"],
  [
    "ends with a question",
    print(CLAUDE.init, CLAUDE.hello.replace("hello", "Which one?"), CLAUDE.result),
    null,
    0,
    0,
    "interactive",
  ],
];

describe.for(ENDINGS)("an agent that %s", ([, script, code, responseExit, clawExit, category]) => {
  test("is answered for with the right code and exits, and what it came to", async () => {
    const { workspace, env } = prepare(script);
    const body = await clawJson(workspace, ["run", "hi"], { env });
    expect([body.error?.code ?? null, body["exit_code"]]).toEqual([code, clawExit]);
    expect(resultOf(body).error_category).toBe(category);
    const response = await responseJson(workspace, ["run", "hi"], { env });
    expect([response.error?.code ?? null, response.exitCode]).toEqual([code, responseExit]);
    const partial = (response.data ?? response.meta["partial"]) as Record<string, unknown>;
    expect(resultOf(partial)).toMatchObject({ error_category: category, harness: "claude-code" });
    const text = await runClaw(workspace, ["run", "hi"], { env });
    expect([text.exitCode, text.stderr.includes("error[")]).toEqual([clawExit, code !== null]);
  });
});

test("a run that fails has its diagnostics too", async () => {
  const { workspace, env } = prepare(refusedBy(401));
  const { stderr } = await runClaw(workspace, ["run", "hi"], { env });
  expect(stderr.split("\n").slice(0, 2)).toEqual([
    "claw.run: apiKeySource=none",
    "error[auth_error]: refused with 401",
  ]);
});

test("a run without a result message has a warning", async () => {
  const { workspace, env } = prepare(print(CLAUDE.init, CLAUDE.hello));
  const body = await clawJson(workspace, ["run", "hi"], { env });
  expect(body["warnings"]).toEqual([expect.stringMatching(/^stream-json ended without a 'result' message/)]);
  expect(resultOf(body)).toMatchObject({ succeeded: true, output: "hello" });
});

test("a run without an answer says where to look", async () => {
  const { workspace, env } = prepare("exit 0");
  const { error } = await clawJson(workspace, ["run", "hi"], { env });
  expect(error).toMatchObject({
    message: "the agent ended without an answer",
    hint: "See what it did: add --output-format stream-json to the call.",
  });
});

test("a doubtful run has a warning, unless nobody is to doubt", async () => {
  const { workspace, env } = prepare(print(CLAUDE.init, CLAUDE.hello.replace("hello", "Which one?"), CLAUDE.result));
  const body = await clawJson(workspace, ["run", "hi"], { env });
  expect(body["warnings"]).toEqual([expect.stringMatching(/^interactive-hang: /)]);
  const trusting = await clawJson(workspace, ["run", "hi", "--no-hang-heuristic"], { env });
  expect([trusting["warnings"], resultOf(trusting).succeeded_cleanly]).toEqual([undefined, true]);
});

describe("a transcript", () => {
  const KEY = "wren-4471-secret";
  const TALKATIVE = print(CLAUDE.init, CLAUDE.hello.replace("hello", `the key is ${KEY}`), CLAUDE.result);

  test("has the agent's events without secrets, and only its owner can read it", async () => {
    const { workspace, env } = prepare(TALKATIVE);
    const file = join(workspace.cwd, "run.jsonl");
    await clawJson(workspace, ["run", "hi", "--transcript", "run.jsonl", "--env", `MY_TOKEN=${KEY}`], { env });
    const lines = readFileSync(file, "utf8").trim().split("\n");
    expect([lines.length, statSync(file).mode & 0o777]).toEqual([3, 0o600]);
    expect([lines[0], lines.some((line) => line.includes(KEY))]).toEqual([CLAUDE.init, false]);
  });

  test("does not replace a file unless it may", async () => {
    const { workspace, env } = prepare(`touch "$HOME/began"\n${FINE}`);
    const file = join(workspace.cwd, "taken.jsonl");
    writeFileSync(file, "mine");
    const args = ["run", "hi", "--transcript", "taken.jsonl"];
    expect((await clawJson(workspace, args, { env })).error?.code).toBe("CONFIRMATION_REQUIRED");
    expect([readFileSync(file, "utf8"), existsSync(join(workspace.home, "began"))]).toEqual(["mine", false]);
    await clawJson(workspace, [...args, "--yes"], { env });
    expect(readFileSync(file, "utf8").split("\n")[0]).toBe(CLAUDE.init);
  });

  test("of a run that is refused for its flags is not begun", async () => {
    const { workspace, env } = prepare(FINE);
    const args = ["run", "hi", "--transcript", "run.jsonl", "--on-permission", "command"];
    expect((await clawJson(workspace, args, { env })).error?.code).toBe("MISSING_ARGUMENT");
    expect(existsSync(join(workspace.cwd, "run.jsonl"))).toBe(false);
  });

  test("that cannot be written keeps the agent from being started", async () => {
    const { workspace, env } = prepare(`touch "$HOME/began"\n${FINE}`);
    const { error } = await clawJson(workspace, ["run", "hi", "--transcript", "not/there.jsonl"], { env });
    expect([error?.code, existsSync(join(workspace.home, "began"))]).toEqual(["INVALID_OUTPUT_PATH", false]);
  });
});

describe("a dry run", () => {
  const wouldRun = async (flags: readonly string[]): Promise<unknown> => {
    const { workspace, env } = prepare(FINE);
    return (await clawJson(workspace, ["run", "hi", "--dry-run", ...flags], { env }))["would_run"];
  };

  test("shows the command that would be started, also where questions are answered", async () => {
    const answered = ["--on-permission", "command", "--permission-command", "true"];
    const held = ["--permission-mode", "acceptEdits", "--settings", expect.stringContaining('"sandbox"')];
    const stream = ["--output-format", "stream-json", "--verbose", "--include-partial-messages"];
    expect(await wouldRun([])).toEqual(["claude", "-p", "hi", ...held, ...stream]);
    expect(await wouldRun(answered)).toEqual(expect.arrayContaining(["--permission-prompt-tool", "stdio"]));
  });

  test("shows no secret of the agent's", async () => {
    const { workspace, env } = prepare(FINE);
    const args = ["run", "say plover-6693-x", "--dry-run", "--env", "DB_PASSWORD=plover-6693-x"];
    const { stdout } = await runClaw(workspace, args, { env });
    expect(stdout).toMatch(/^Would run: claude -p 'say \[REDACTED\]'/);
  });
});

describe("a folder for temporary files", () => {
  test("that is not there is named in the error", async () => {
    const { workspace, env } = prepare(FINE);
    const { error } = await clawJson(workspace, ["run", "hi"], { env: { ...env, TMPDIR: "/not/there" } });
    expect(error).toMatchObject({ code: "FILESYSTEM_ERROR", target: "/not/there" });
  });

  test("may be named from where the call was made, whatever folder the agent works in", async () => {
    const workspace = createWorkspace();
    const script = `while [ "$1" != --output-last-message ]; do shift; done; echo 'last word' > "$2"`;
    const env = { ...putAgent(workspace, script, "codex"), TMPDIR: "." };
    const body = await clawJson(workspace, ["run", "hi", "--cwd", workspace.home], { env });
    expect(resultOf(body).output).toBe("last word\n");
  });
});

test("what an agent is given by name is in no answer, whatever it does with it", async () => {
  const { workspace, env } = prepare(
    `${print(CLAUDE.init)}\necho '{"type":"assistant","message":{"content":[{"type":"text","text":"'"$DB_PASSWORD"'"}]}}'\necho "password $DB_PASSWORD" >&2; exit 1`,
  );
  for (const format of ["text", "json", "stream-json"]) {
    const args = ["run", "hi", "--env", "DB_PASSWORD=plover-6693-x", "--output-format", format];
    const { stdout, stderr } = await runClaw(workspace, args, { env });
    expect([format, `${stdout}${stderr}`.includes("plover-6693-x")]).toEqual([format, false]);
  }
});

test("an agent that ends a line in U+2028 or in pieces is read to the letter", async () => {
  const line = CLAUDE.hello.replace("hello", "a\u2028b\u0085c");
  const { workspace, env } = prepare(print(CLAUDE.init, line, CLAUDE.result));
  expect(resultOf(await clawJson(workspace, ["run", "hi"], { env })).output).toBe("a\u2028b\u0085c");
});
