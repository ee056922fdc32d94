import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ScenarioName } from "../model-server/scenarios.ts";
import { runReal, startClaw } from "./claw.ts";
import { createRealScene, processesIn } from "./real-scene.ts";

interface Row {
  readonly harness: "claude-code" | "codex";
  readonly flags: readonly string[];
  readonly bash: ScenarioName;
  readonly subAgent: ScenarioName;
  readonly asking: ScenarioName;
}

const CLIS: readonly Row[] = [
  {
    harness: "claude-code",
    flags: [],
    bash: "claude-bash",
    subAgent: "claude-sub-agent",
    asking: "claude-write",
  },
  {
    harness: "codex",
    flags: ["--model", "gpt-5.5"],
    bash: "codex-bash",
    subAgent: "codex-sub-agent",
    asking: "codex-escalate",
  },
];

describe.each(CLIS)("$harness, run by claw", ({ harness, flags, bash, subAgent, asking }) => {
  const run = async (scenario: ScenarioName, ...more: string[]) => {
    const scene = await createRealScene(scenario);
    return { scene, ...(await runReal(scene, harness, ...flags, ...more)) };
  };

  test("says what the model said", async () => {
    const { exitCode, result, scene } = await run("text");
    expect(result).toMatchObject({
      harness,
      output: "Hello from the scripted model. The answer is 42.",
      exit_code: 0,
      error: null,
      error_category: null,
      succeeded: true,
      succeeded_cleanly: true,
      input_tokens: 1000,
      output_tokens: 20,
    });
    expect(result.session_id).toMatch(/^[0-9a-f-]{36}$/);
    expect([exitCode, scene.requests().length]).toEqual([0, 1]);
  });

  test("runs its tools and says what came of it", async () => {
    const { exitCode, result, scene } = await run(bash);
    expect(result.output).toBe("Running a command.\nThe command printed tool-ran.");
    expect(JSON.stringify(scene.requests().at(-1)?.body)).toContain("tool-ran");
    expect([exitCode, result.succeeded_cleanly]).toEqual([0, true]);
  });

  test("keeps what a sub-agent says apart", async () => {
    const { exitCode, result, scene } = await run(subAgent);
    expect(result.output).toBe("The sub-agent said 7.");
    expect(scene.requests().length).toBeGreaterThan(2);
    expect([exitCode, result.error_category]).toEqual([0, null]);
  });

  test.each([
    ["allow", true],
    ["deny", false],
  ])("asks whether it may, and heeds the answer: %s", async (decision, isWritten) => {
    const policy = `tee asked.json >/dev/null; echo '{"decision":"${decision}"}'`;
    const { scene, exitCode, result } = await run(asking, "--on-permission", "command", "--permission-command", policy);
    expect(JSON.parse(readFileSync(join(scene.cwd, "asked.json"), "utf8"))).toBeTypeOf("object");
    expect([existsSync(join(scene.cwd, "out.txt")), exitCode]).toEqual([isWritten, 0]);
    expect(result.output).toContain("Done with out.txt.");
  });

  test("without anybody to ask, does not do what needs permission", async () => {
    const { scene, exitCode, result } = await run(asking, "--permission-mode", "read-only");
    expect([existsSync(join(scene.cwd, "out.txt")), exitCode]).toEqual([false, 0]);
    expect([result.permission_denials.length, result.succeeded_cleanly]).toEqual([1, false]);
  });

  test.each([
    ["unauthorised", "auth", "TOKEN_INVALID"],
    ["rate-limited", "rate_limit", "RATE_LIMIT_EXCEEDED"],
  ] as const)("tells a model that refuses: %s", async (scenario, category, code) => {
    const run1 = await run(scenario);
    expect([run1.exitCode, run1.code, run1.result.error_category, run1.result.succeeded]).toEqual([
      1,
      code,
      category,
      false,
    ]);
    expect(run1.result.error).toMatch(/\S/);
  });

  test.each(["rate-limited-once", "cut-once"] as const)("takes a retry for no failure: %s", async (scenario) => {
    const { exitCode, result, scene } = await run(scenario);
    expect(result).toMatchObject({ error: null, error_category: null, succeeded_cleanly: true });
    expect(result.output).toMatch(/^Recovered after a (pause|cut)\.$/);
    expect([exitCode, scene.requests().length]).toEqual([0, 2]);
  });

  test("tells that the stream was cut for good", async () => {
    const { exitCode, result } = await run("cut");
    expect([exitCode, result.succeeded, result.error_category]).toEqual([1, false, "api"]);
  });

  test("gives the same result from its transcript", async () => {
    const { result, scene } = await run(bash, "--transcript", "events.ndjson");
    const args = ["parse-stream", "--harness", harness, "events.ndjson", "--output-format", "json"];
    const { stdout, exitCode } = await startClaw(scene, args).answer;
    const { result: parsed } = JSON.parse(stdout) as { result: Record<string, unknown> };
    const told = ["output", "session_id", "input_tokens", "output_tokens", "num_turns", "error", "succeeded"] as const;
    expect(told.map((name) => parsed[name])).toEqual(told.map((name) => result[name]));
    expect(exitCode).toBe(0);
  });

  test("is ended with everything it started when its time is over", async () => {
    const scene = await createRealScene("hang-after-headers");
    const args = ["run", "please", "--harness", harness, ...flags, "--timeout-seconds", "5", "--output-format", "json"];
    const { exitCode, stdout } = await startClaw(scene, args).answer;
    const { result } = JSON.parse(stdout) as { result: Record<string, unknown> };
    expect([exitCode, result["error_category"]]).toEqual([2, "timeout"]);
    expect(scene.requests()).toHaveLength(1);
    expect(processesIn(scene)).toEqual([]);
  });

  test("is ended with everything it started when claw is told to stop", async () => {
    const scene = await createRealScene("hang-after-headers");
    const args = ["run", "please", "--harness", harness, ...flags, "--output-format", "json"];
    const { child, answer } = startClaw(scene, args);
    await expect.poll(() => scene.requests().length, { timeout: 60_000, interval: 50 }).toBe(1);
    child.kill("SIGTERM");
    await once(child, "exit");
    expect((await answer).exitCode).toBe(1);
    expect(processesIn(scene)).toEqual([]);
  });
});
