import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { jsonLines } from "../../packages/claw/src/process/testing/json-lines.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { installFakes } from "./install-fakes.ts";
import { processStat, runShell } from "./provocations.ts";
import { BINARY, clawJson, runClaw } from "./run-claw.ts";
import { agentPid, CLAUDE, print, putAgent, STAYS_STUBBORNLY } from "./script-agent.ts";
import type { Workspace } from "./workspace.ts";
import { cleanEnvironment, createWorkspace } from "./workspace.ts";

const ask = (request: object): string => JSON.stringify({ type: "control_request", request_id: "r1", request });

const PERMISSION = ask({ subtype: "can_use_tool", tool_name: "Bash", input: { command: "rm -r build" } });
const QUESTION = ask({
  subtype: "can_use_tool",
  tool_name: "AskUserQuestion",
  input: { questions: [{ question: "Which color?", options: [{ label: "Red" }, { label: "Blue" }] }] },
  requires_user_interaction: true,
});

/** Asks once it has its prompt, keeps the answer, and is done. */
const asking = (request: string): string => `
while read -r line; do
  case "$line" in
    *'"type":"user"'*) ${print(CLAUDE.init, request)} ;;
    *control_response*) printf '%s' "$line" > "$HOME/answer"; ${print(CLAUDE.hello, CLAUDE.result)} ;;
  esac
done`;

function prepare(request: string): { workspace: Workspace; env: NodeJS.ProcessEnv } {
  const workspace = createWorkspace();
  return { workspace, env: putAgent(workspace, asking(request)) };
}

/** What the agent was answered. */
function answerOf({ home }: Workspace): unknown {
  const { response } = JSON.parse(readFileSync(join(home, "answer"), "utf8")) as { response: { response: unknown } };
  return response.response;
}

describe("a program that answers for permissions", () => {
  const flags = (command: string): string[] => ["--on-permission", "command", "--permission-command", command];

  test.each([
    ["allow", "Gone."],
    ["deny", "Left it."],
  ])("is asked for Codex as well: %s", async (decision, said) => {
    const workspace = createWorkspace();
    const scenario = {
      steps: [
        {
          type: "permission",
          tool: "Bash",
          input: { command: "rm -r build" },
          allowed: [{ type: "text", text: "Gone." }],
          denied: [{ type: "text", text: "Left it." }],
        },
      ],
    };
    const file = join(workspace.home, "scenario.json");
    writeFileSync(file, JSON.stringify(scenario));
    const env = { PATH: installFakes(workspace, file) };
    const argv = ["run", "clean up", "--harness", "codex", ...flags(`echo '{"decision":"${decision}"}'`)];
    expect(await clawJson(workspace, argv, { env })).toMatchObject({ exit_code: 0, result: { output: said } });
  });

  test("is asked and believed", async () => {
    const { workspace, env } = prepare(PERMISSION);
    const command = `cat > "$HOME/question"; echo '{"decision":"allow","input":{"command":"ls"}}'`;
    const body = await clawJson(workspace, ["run", "clean up", ...flags(command)], { env });
    expect(body).toMatchObject({ exit_code: 0, result: { output: "hello", succeeded_cleanly: true } });
    expect(answerOf(workspace)).toEqual({ behavior: "allow", updatedInput: { command: "ls" } });
    expect(JSON.parse(readFileSync(join(workspace.home, "question"), "utf8"))).toMatchObject({
      id: "r1",
      about: "permission",
      harness: "claude-code",
      tool: "Bash",
      input: { command: "rm -r build" },
      cwd: workspace.cwd,
    });
  });

  test.each([
    ["says no", `echo '{"decision":"deny","message":"not today"}'`, "not today", null],
    [
      "talks nonsense",
      "echo maybe; echo no policy >&2",
      "the permission command's answer is no JSON object",
      "permission-unanswered: Bash: the permission command's answer is no JSON object; its stderr ends: no policy",
    ],
    [
      "takes too long",
      "sleep 600",
      "the permission command did not answer within 0.3 s",
      "permission-unanswered: Bash: the permission command did not answer within 0.3 s",
    ],
  ])("and %s denies", async (_what, command, message, warning) => {
    const { workspace, env } = prepare(PERMISSION);
    const seconds = command === "sleep 600" ? "0.3" : "60";
    const args = ["run", "clean up", ...flags(command), "--permission-timeout-seconds", seconds];
    const warnings = warning === null ? [] : [warning];
    expect(await clawJson(workspace, args, { env })).toMatchObject({ exit_code: 0, result: { warnings } });
    expect(answerOf(workspace)).toEqual({ behavior: "deny", message });
  });

  test("is shown to whoever follows the stream, question and answer", async () => {
    const { workspace, env } = prepare(PERMISSION);
    const args = ["run", "clean up", ...flags(`echo '{"decision":"deny"}'`), "--output-format", "stream-json"];
    const { stdout } = await runClaw(workspace, args, { env });
    const lines = jsonLines(stdout);
    const told = lines.filter(({ subtype }) => subtype === "permission_answered");
    expect(told).toEqual([expect.objectContaining({ request_id: "r1", tool_name: "Bash", decision: "deny" })]);
    expect(stdout).toContain('"subtype":"can_use_tool"');
  });

  test("is gone with all it started when the question is taken back and the run is over soon after", async () => {
    const workspace = createWorkspace();
    const cancel = JSON.stringify({ type: "control_cancel_request", request_id: "r1" });
    const asks = `${print(CLAUDE.init, PERMISSION)}; until [ -s "$HOME/stray" ]; do sleep 0.02; done`;
    const env = putAgent(workspace, `${asks}; ${print(cancel)}; sleep 0.2; ${print(CLAUDE.hello, CLAUDE.result)}`);
    const stubborn = `(trap '' TERM; while :; do sleep 0.05; done) >/dev/null 2>&1 & echo $! > "$HOME/stray"; wait`;
    expect(await clawJson(workspace, ["run", "clean up", ...flags(stubborn)], { env })).toMatchObject({ exit_code: 0 });
    const stray = Number(readFileSync(join(workspace.home, "stray"), "utf8"));
    onTestFinished(() => void spawnSync("kill", ["-9", String(stray)]));
    expect(await until("it to be gone", () => /^[ZX?]$/.test(processStat(stray).state))).toBe(true);
  });

  test("is asked a few things at a time, however many there are", async () => {
    const workspace = createWorkspace();
    const many = `i=0; while [ $i -lt 20 ]; do printf '%s\\n' '${PERMISSION.replace('"r1"', `"r'$i'"`)}'; i=$((i+1)); done`;
    const agent = `
n=0
while read -r line; do
  case "$line" in
    *'"type":"user"'*) ${print(CLAUDE.init)}; ${many} ;;
    *control_response*) n=$((n+1)); [ $n = 20 ] && { ${print(CLAUDE.hello, CLAUDE.result)}; } ;;
  esac
done`;
    const env = putAgent(workspace, agent);
    const args = ["run", "clean up", ...flags(`echo '{"decision":"allow"}'`), "--output-format", "json"];
    const { stderr, exitCode } = await runClaw(workspace, args, { env });
    expect([stderr, exitCode]).toEqual(["", 0]);
  });

  test("has to be named, and only where it is asked", async () => {
    const { workspace, env } = prepare(PERMISSION);
    const missing = await clawJson(workspace, ["run", "hi", "--on-permission", "command"], { env });
    const useless = await clawJson(workspace, ["run", "hi", "--permission-command", "true"], { env });
    expect([missing.error, useless.error]).toMatchObject([
      { code: "MISSING_ARGUMENT", target: "--permission-command" },
      { code: "INVALID_FLAG_VALUE", target: "--permission-command" },
    ]);
  });
});

test("a person cannot be asked where there is no terminal, and that is said before the agent starts", async () => {
  const workspace = createWorkspace();
  const env = putAgent(workspace, `touch "$HOME/answer"`);
  const { error } = await clawJson(workspace, ["run", "hi", "--on-permission", "ask"], { env });
  expect(error).toMatchObject({ code: "INTERACTIVE_ONLY", target: "--on-permission" });
  expect(() => readFileSync(join(workspace.home, "answer"))).toThrow("ENOENT");
});

describe.runIf(spawnSync("script", ["--version"]).status === 0)("on a terminal", () => {
  /** Runs a call on a terminal of its own where somebody types these lines. */
  async function onTerminal(workspace: Workspace, env: NodeJS.ProcessEnv, line: string, typed = ""): Promise<string> {
    const call = `"$CLAW_TEST_NODE" "$CLAW_TEST_BINARY" ${line}`;
    const script = `printf '%s' "$1" | TERM=xterm script -qec '${call}' /dev/null`;
    return (await runShell(workspace, script, { words: [typed], env: { NO_COLOR: "1", ...env } })).stdout;
  }

  test("a person is asked, and the agent goes by the answer", async () => {
    const { workspace, env } = prepare(PERMISSION);
    const shown = await onTerminal(workspace, env, "run cleanup --on-permission ask", "y\n");
    expect(shown).toContain("The agent asks to use Bash");
    expect(shown).toContain("rm -r build");
    expect(answerOf(workspace)).toEqual({ behavior: "allow", updatedInput: { command: "rm -r build" } });
  });

  test("a person who leaves has said no", async () => {
    const { workspace, env } = prepare(PERMISSION);
    await onTerminal(workspace, env, "run cleanup --on-permission ask");
    expect(answerOf(workspace)).toEqual({ behavior: "deny", message: "denied at the terminal" });
  });

  test("a question is answered by the number of an option", async () => {
    const { workspace, env } = prepare(QUESTION);
    await onTerminal(workspace, env, "run choose --on-permission ask", "2\n");
    expect(answerOf(workspace)).toMatchObject({ updatedInput: { answers: { "Which color?": "Blue" } } });
  });

  test("a line tells what the agent is doing, and is gone in the end", async () => {
    const workspace = createWorkspace();
    const tool = { type: "tool_use", id: "t1", name: "Bash", input: { command: "make" } };
    const working = JSON.stringify({ type: "assistant", message: { content: [tool] }, parent_tool_use_id: null });
    const pause = `${print(CLAUDE.init, working)}\nsleep 0.8\n${print(CLAUDE.hello, CLAUDE.result)}`;
    const shown = await onTerminal(workspace, putAgent(workspace, pause), "run build");
    expect(shown).toMatch(/\r\u001B\[KBash: make · [\d.]+ s/);
    expect(shown.slice(shown.lastIndexOf("\u001B[K") + 3)).toMatch(
      /^claw\.run: apiKeySource=none\r\nhello\r\n\r\nclaude-code · m1/,
    );
  });

  test("that is closed the agent is ended as ever, and nothing is left in the folder for temporary files", async () => {
    const workspace = createWorkspace();
    const temporary = join(workspace.home, "tmp");
    mkdirSync(temporary);
    const env = { ...putAgent(workspace, STAYS_STUBBORNLY), TERM: "xterm", TMPDIR: temporary };
    const terminal = spawn("script", ["-qec", `"${process.execPath}" "${BINARY}" run build`, "/dev/null"], {
      cwd: workspace.cwd,
      env: cleanEnvironment(workspace, env),
      stdio: ["pipe", "ignore", "ignore"],
    });
    const pid = await until("the agent to stay", () => existsSync(join(workspace.home, "pid")) && agentPid(workspace));
    terminal.kill("SIGKILL");
    await until("the agent to be gone", () => /^[ZX?]$/.test(processStat(pid).state));
    expect(await until("the folder to be gone", () => readdirSync(temporary).length === 0)).toBe(true);
  });

  test.each([["--quiet"], ["--output-format json"]])("with %s there is no such line", async (flag) => {
    const workspace = createWorkspace();
    const env = putAgent(workspace, `${print(CLAUDE.init)}\nsleep 0.4\n${print(CLAUDE.result)}`);
    expect(await onTerminal(workspace, env, `run build ${flag}`)).not.toContain("\u001B[K");
  });
});
