import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { identify, isRunning } from "../../process/process-identity.ts";
import type { HookOccasion } from "./hooks.ts";
import { createHooks, matchesTool } from "./create-hooks.ts";
import { NO_VERDICT } from "./hook-answer.ts";
import { readHooks } from "./read-hooks.ts";

function prepare(config: object, env: Record<string, string> = {}) {
  const cwd = temporaryFolder(onTestFinished);
  const { hooks, problems } = readHooks(config);
  expect(problems).toEqual([]);
  const surroundings = {
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    sessionId: "s-1",
    aliasesOf: (tool: string) => (tool === "bash" ? ["Bash", "BashTool"] : []),
  };
  return {
    cwd,
    hooks: createHooks(hooks, surroundings),
    text: (name: string) => readFileSync(join(cwd, name), "utf8"),
  };
}

const never = new AbortController().signal;
type Result = { readonly output: string; readonly isError: boolean };

function toolOccasion(call: { tool: string; input: unknown; result: Result | null }): HookOccasion {
  const asked = { tool_input: call.input, tool_input_json: JSON.stringify(call.input ?? null) };
  if (call.result === null) return { event: "PreToolUse", subject: call.tool, fields: asked };
  const { output, isError } = call.result;
  const said = isError ? { tool_error: output } : { tool_output: output };
  const event = isError ? "PostToolUseFailure" : "PostToolUse";
  return { event, subject: call.tool, fields: { ...asked, ...said, tool_result_is_error: isError } };
}

const before = (input: unknown, tool = "bash") => toolOccasion({ tool, input, result: null });
const after = (output: string, isError: boolean) =>
  toolOccasion({ tool: "bash", input: { command: "ls" }, result: { output, isError } });
const inOrder = (...commands: string[]) => ({ PreToolUse: commands });

test("a hook gets the occasion as JSON on stdin and in short in its environment", async () => {
  const { cwd, hooks, text } = prepare({ PostToolUse: ["cat > stdin; env > variables; pwd > where"] }, { OWN: "mine" });
  expect(await hooks.run(after("a\0b\n", false), never)).toEqual(NO_VERDICT);
  expect(JSON.parse(text("stdin"))).toEqual({
    hook_event_name: "PostToolUse",
    session_id: "s-1",
    cwd,
    tool_name: "bash",
    tool_input: { command: "ls" },
    tool_input_json: '{"command":"ls"}',
    tool_output: "a\0b\n",
    tool_result_is_error: false,
  });
  expect(text("variables").split("\n")).toEqual(
    expect.arrayContaining([
      "OWN=mine",
      "HOOK_EVENT=PostToolUse",
      "HOOK_TOOL_NAME=bash",
      'HOOK_TOOL_INPUT={"command":"ls"}',
      "HOOK_TOOL_OUTPUT=ab",
      "HOOK_TOOL_IS_ERROR=0",
    ]),
  );
  expect(text("where").trim()).toBe(cwd);
});

test("a failed call is told as an error", async () => {
  const { hooks, text } = prepare({ PostToolUse: ["touch wrong"], PostToolUseFailure: ["cat > stdin"] });
  await hooks.run(after("no such file", true), never);
  expect(JSON.parse(text("stdin"))).toMatchObject({ tool_error: "no such file", tool_result_is_error: true });
  expect(() => text("wrong")).toThrow("ENOENT");
});

test("only hooks whose matcher means the tool run, by any of its names; without a tool all of the event do", async () => {
  const group = (matcher: string) => ({ matcher, hooks: [{ type: "command", command: `echo '${matcher}' >> ran` }] });
  const { hooks, text } = prepare({
    PreToolUse: [group("BASHTOOL"), group("edit_file|write_file"), group("ba*")],
    Stop: [group("bash")],
  });
  await hooks.run(before({}), never);
  await hooks.run({ event: "Stop", subject: "", fields: {} }, never);
  expect(text("ran")).toBe("BASHTOOL\nba*\nbash\n");
});

test("hooks run in order, each with the input the last one left, and none after a refusal", async () => {
  const answer = (input: object) => JSON.stringify({ hookSpecificOutput: { updatedInput: input } });
  const { cwd, hooks, text } = prepare(
    inOrder(`echo '${answer({ command: "two" })}'`, "cat > seen", "echo no >&2; exit 2", "touch late"),
  );
  expect(await hooks.run(before({ command: "one" }), never)).toEqual({
    ...NO_VERDICT,
    blocked: "no",
    updatedInput: { command: "two" },
  });
  expect(JSON.parse(text("seen"))).toMatchObject({
    tool_input: { command: "two" },
    tool_input_json: '{"command":"two"}',
  });
  expect(existsSync(join(cwd, "late"))).toBe(false);
});

test("a hook that does not end in time is ended with all it started, and blocks", async () => {
  const command = "sleep 1000 & echo $! > pid; trap '' TERM; wait; sleep 1000";
  const { hooks, text } = prepare({ PreToolUse: [{ hooks: [{ command, timeout: 2 }] }] });
  const { blocked } = await hooks.run(before({}), never);
  expect(blocked).toMatch(/^the PreToolUse hook `sleep 1000 .*` did not end within 2 s$/);
  expect(isRunning(identify(Number(text("pid"))))).toBe(false);
});

test("an abort ends the hook with all it started, and is what the run rejects with", async () => {
  const { cwd, hooks, text } = prepare(inOrder("echo $$ > pid; mkfifo gate; : > ready; read x < gate"));
  const controller = new AbortController();
  const run = hooks.run(before({}), controller.signal);
  const poll = setInterval(() => existsSync(join(cwd, "ready")) && controller.abort(new Error("enough")), 10);
  onTestFinished(() => clearInterval(poll));
  await expect(run).rejects.toThrow("enough");
  expect(isRunning(identify(Number(text("pid"))))).toBe(false);
  await expect(hooks.run(before({}), controller.signal)).rejects.toThrow("enough");
});

test("much in both directions at once is no deadlock", async () => {
  const flood = "head -c 3000000 /dev/zero | tr '\\0' x";
  const { hooks } = prepare(inOrder(`${flood}; ${flood} >&2; cat > /dev/null; echo done > end`));
  const { messages, blocked } = await hooks.run(before({ text: "y".repeat(3_000_000) }), never);
  expect([blocked, messages.length, (messages[0] ?? "").startsWith("xxx")]).toEqual([null, 1, true]);
});

test("a hook need not read its input", async () => {
  const { hooks } = prepare(inOrder("exit 0", 'exec 0<&-; echo \'{"systemMessage":"hi"}\''));
  expect(await hooks.run(before({ text: "y".repeat(3_000_000) }), never)).toEqual({ ...NO_VERDICT, messages: ["hi"] });
});

test("a hook that cannot be started or is killed blocks, and says so", async () => {
  const { hooks } = prepare(inOrder("kill -9 $$"));
  expect((await hooks.run(before({}), never)).blocked).toMatch(/was ended by SIGKILL$/);
  const lost = createHooks(readHooks(inOrder("true")).hooks, { cwd: "/nowhere/at/all", env: {}, sessionId: "s" });
  expect((await lost.run(before({}), never)).blocked).toMatch(/did not start: ENOENT$/);
});

test.each([
  ["*", true],
  ["", true],
  [" | ", true],
  ["write_file", true],
  ["WRITE_FILE", true],
  ["bash, write_file", true],
  ["bash|Write", true],
  ["write*", true],
  ["*_file", true],
  [".*file", true],
  ["w*t*", true],
  ["bash|", false],
  ["file", false],
  ["write", true],
  ["write.file", false],
  ["[a-z]+", false],
  ["(", false],
])("%j means write_file, which is called Write too: %s", (matcher, matches) => {
  expect(matchesTool(matcher, ["write_file", "Write"])).toBe(matches);
});
