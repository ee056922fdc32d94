import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, statSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { BINARY, clawJson, flatJson, responseJson, runClaw } from "./run-claw.ts";
import { cleanEnvironment, createWorkspace } from "./workspace.ts";

const recording = (name: string): string =>
  fileURLToPath(new URL(`../fixtures/harness/recordings/${name}.ndjson`, import.meta.url));

const FAILED = ["parse-stream", recording("claude/e429_default"), "--harness", "claude-code"];

describe("a recording of a run that failed", () => {
  test("was read all the same: the call succeeds in every envelope", async () => {
    const workspace = createWorkspace();
    const failed = { error_category: "rate_limit", api_error_status: 429 };
    expect((await clawJson(workspace, FAILED))["result"]).toMatchObject(failed);
    expect((await flatJson(workspace, FAILED))["result"]).toMatchObject(failed);
    expect(await responseJson(workspace, FAILED)).toMatchObject({ ok: true, exitCode: 0, data: { result: failed } });
  });

  test("is told to people on 80 columns, with what the run reports on stderr", async () => {
    const { stdout, stderr, exitCode } = await runClaw(createWorkspace(), [...FAILED, "--subject", "nightly"]);
    expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
    expect(stdout).toMatch(/^run +failed \(rate_limit\), claude-code with claude-opus-5-5\nerror +API Error: /);
    expect({ stderr, exitCode }).toEqual({
      stderr: "claw.run: apiKeySource=ANTHROPIC_API_KEY (nightly)\n",
      exitCode: 0,
    });
  });

  test("is printed message by message, then as a result", async () => {
    const { stdout, stderr } = await runClaw(createWorkspace(), [...FAILED, "--output-format", "stream-json"]);
    const lines = stdout.trimEnd().split("\n");
    const recorded = readFileSync(recording("claude/e429_default"), "utf8").trimEnd().split("\n");
    const parse = (line: string): unknown => JSON.parse(line);
    expect(lines.slice(0, -1).map(parse)).toEqual(recorded.map(parse));
    expect(parse(lines.at(-1) ?? "")).toMatchObject({
      type: "result",
      result: { raw_messages_count: recorded.length },
    });
    expect(stderr).toBe("");
  });
});

describe("a stream that is still being written", () => {
  test("is passed on line by line", async () => {
    const args = ["parse-stream", "--harness", "codex", "--output-format", "stream-json"];
    const child = spawn(process.execPath, [BINARY, ...args], {
      env: cleanEnvironment(createWorkspace()),
      stdio: "pipe",
    });
    const lines = createInterface({ input: child.stdout });
    child.stdin.write('{"type":"thread.started","thread_id":"t-1"}\n{"type":"item.comp');
    const [first] = (await once(lines, "line")) as [string];
    expect(JSON.parse(first)).toMatchObject({ type: "system", subtype: "init", session_id: "t-1" });
    child.stdin.end('leted","item":{"type":"agent_message","text":"hi"}}\n');
    const [second] = (await once(lines, "line")) as [string];
    expect(JSON.parse(second)).toMatchObject({ type: "assistant", message: { content: [{ text: "hi" }] } });
    expect(await once(child, "close")).toEqual([0, null]);
  });
});

describe("a stream too large for an answer", () => {
  const stream = (lineBytes: number): string =>
    `${JSON.stringify({ type: "user", message: { content: "x".repeat(lineBytes) } })}\n`.repeat(2000);

  test("is larger than what fits into one of another verb", async () => {
    const args = ["parse-stream", "--harness", "claude-code"];
    const { result } = await clawJson(createWorkspace(), args, { stdin: stream(1000) });
    const { raw_messages, truncated } = result as { raw_messages: unknown[]; truncated: boolean };
    expect([raw_messages.length, truncated]).toEqual([2000, false]);
  });

  test("is in a private file, and the result in the answer", async () => {
    const stdin = stream(10_000);
    const body = await clawJson(createWorkspace(), ["parse-stream", "--harness", "claude-code"], { stdin });
    const { raw_messages_path: path, ...result } = body["result"] as { raw_messages_path: string };
    expect(result).toMatchObject({ raw_messages: [], raw_messages_count: 2000, truncated: true });
    expect(readFileSync(path, "utf8")).toBe(stdin);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });
});
