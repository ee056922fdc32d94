import { describe, expect, test } from "vitest";
import type { Frame } from "./daemon-process.ts";
import { connectWire, readLog, startDaemon } from "./daemon-process.ts";
import { clawJson, runClaw } from "./run-claw.ts";
import { seedFile } from "./seed.ts";
import { openTerminal } from "./terminal-session.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const BROKEN = ["name: docs", "workers:", "  - { name: a, mission: m, needs: [b] }", "  - { name: a, mission: m }", ""];

describe("the file of a fleet", () => {
  test("that is wrong is refused with every line that is, and nothing of it is started", async () => {
    const workspace = createWorkspace();
    const { socket } = await startDaemon(workspace);
    seedFile(workspace, "fleet.yaml", BROKEN.join("\n"));
    const body = await clawJson(workspace, ["fleet", "fleet.yaml"]);
    expect(body.error).toMatchObject({
      code: "FLEET_FILE_INVALID",
      message:
        "fleet.yaml: line 4: workers[1].name: 'a' is the name of another worker too; line 3: workers[0].needs[0]: no worker is called 'b'",
    });
    const client = await connectWire(socket);
    await client.hello("observer");
    const { peers } = await client.ask({ cmd: "peers" });
    expect(peers).toHaveLength(1);
  });

  test("that would grow without bound, or is nested without end, ends the call in order", async () => {
    const workspace = createWorkspace();
    const levels = Array.from({ length: 12 }, (_, level) => {
      const before = level === 0 ? "lol" : `*l${level - 1}`;
      return `l${level}: &l${level} [${Array.from({ length: 10 }, () => before).join(", ")}]`;
    });
    seedFile(workspace, "laughs.yaml", levels.join("\n"));
    seedFile(workspace, "deep.yaml", "[".repeat(200_000));
    for (const file of ["laughs.yaml", "deep.yaml", "missing.yaml"]) {
      const { exitCode, stderr } = await runClaw(workspace, ["fleet", file]);
      expect([exitCode !== 0, stderr.startsWith("error[fleet_file_invalid]")]).toEqual([true, true]);
    }
  });

  test("that is sound needs a daemon, and none to be looked at", async () => {
    const workspace = createWorkspace();
    seedFile(workspace, "fleet.yaml", "name: docs\nworkers:\n  - { name: a, mission: m, harness: fake }\n");
    expect(await clawJson(workspace, ["fleet", "fleet.yaml", "--dry-run"])).toMatchObject({ effect: "would_create" });
    expect((await clawJson(workspace, ["fleet", "fleet.yaml"])).error).toMatchObject({ code: "DAEMON_NOT_RUNNING" });
  });
});

/** A daemon, and the scenario `dear.json` of a worker that goes on spending. */
async function withDearScenario(): Promise<Workspace> {
  const workspace = createWorkspace();
  await startDaemon(workspace);
  const call = { type: "tool", name: "Bash", input: { command: "ls" }, output: "" };
  const steps = [{ type: "repeat", times: 1000, steps: [call, { type: "wait", ms: 300 }] }];
  const usage = { input_tokens: 20_000, output_tokens: 2000, cost_usd: 0.15 };
  seedFile(workspace, "dear.json", JSON.stringify({ model: "claude-opus-4-5", usage, steps }));
  return workspace;
}

test("a fleet that reaches its limit is stopped in the middle, once, with what was done", async () => {
  const workspace = await withDearScenario();
  const workers = ["a", "b"].map((name) => `  - { name: ${name}, mission: m, harness: fake, scenario: dear.json }`);
  seedFile(workspace, "fleet.yaml", ["name: dear", "budget: { usd: 1 }", "workers:", ...workers, ""].join("\n"));
  expect((await clawJson(workspace, ["fleet", "fleet.yaml"])).error).toMatchObject({
    code: "BUDGET_EXCEEDED",
    message: expect.stringMatching(
      /^the budget of the fleet dear is reached: \$[\d.]+ of \$1\.00; 2 workers failed: a, b$/,
    ),
  });
  const { workers: ended, budgets_reached: reached } = await clawJson(workspace, ["ps", "--all"]);
  expect(ended).toMatchObject([{ completion: "reported" }, { completion: "reported" }]);
  expect(reached).toMatchObject([{ scope: "fleet", id: "dear", unit: "usd", limit: 1 }]);
  expect((await runClaw(workspace, ["ps"])).stdout).toContain("the budget of the fleet dear is reached: $");
  const log = readLog(workspace);
  const told = log.filter(({ topic }) => topic === "system.budget.exceeded").map(({ payload }) => payload);
  expect(told).toMatchObject([{ scope: "fleet", id: "dear", limit: 1 }]);
  const results = log.filter(({ topic }) => String(topic).endsWith(".complete"));
  expect(results.map(({ payload }) => (payload as Frame)["data"])).toMatchObject([
    { result: "cancelled", summary: expect.stringContaining("budget") },
    { result: "cancelled", summary: expect.stringContaining("budget") },
  ]);
});

test("identical workers cost the same, and a limit is measured by what their agent says", async () => {
  const workspace = createWorkspace();
  await startDaemon(workspace);
  // By its tokens a message costs $0.15; the agent says one cent.
  const call = { type: "tool", name: "Bash", input: { command: "ls" }, output: "" };
  const steps = [call, { type: "text", text: "done" }];
  const usage = { input_tokens: 20_000, output_tokens: 2000, cost_usd: 0.01 };
  seedFile(workspace, "cheap.json", JSON.stringify({ model: "claude-opus-4-5", usage, steps }));
  const workers = ["a", "b", "c", "d"].map((name, index, all) => {
    const needs = index === 0 ? "" : `, needs: [${all[index - 1]}]`;
    return `  - { name: ${name}, mission: m, harness: fake, scenario: cheap.json${needs} }`;
  });
  seedFile(workspace, "fleet.yaml", ["name: same", "budget: { usd: 0.5 }", "workers:", ...workers, ""].join("\n"));
  const body = await clawJson(workspace, ["fleet", "fleet.yaml"]);
  expect(body).toMatchObject({ done: 4, total_cost_usd: 0.08, cost_estimated: false });
  const cost = { cost_usd: 0.02, cost_estimated: false };
  expect(body["workers"]).toMatchObject([cost, cost, cost, cost]);
});

test("who waits for a worker that a limit stops is told so, with the exit that means it", async () => {
  const workspace = await withDearScenario();
  const spawn = ["spawn", "--harness", "fake", "--scenario", "dear.json", "--budget-usd", "0.2", "--wait", "complete"];
  const { exitCode, stderr } = await runClaw(workspace, [...spawn, "--name", "dear", "--envelope", "response", "go"]);
  expect(stderr).toMatch(/^error\[budget_exceeded\]: budget: \$\d/m);
  expect(exitCode).toBe(9);
  const { stdout } = await runClaw(workspace, ["ps"]);
  expect(stdout).toMatch(/^ {2}dear .* ~\$\d+\.\d+ .*budget/m);
  expect(stdout).toMatch(/the budget of dear is reached: \$\d+\.\d+ of \$0\.20/);
});

test("a fleet's limit is kept by the daemon, and told to whoever asks", async () => {
  const workspace = createWorkspace();
  const { socket } = await startDaemon(workspace, "--budget-tokens-per-day", "1000");
  const client = await connectWire(socket);
  await client.hello("orchestrator");
  const set = { cmd: "budget.set", scope: "fleet", target: "docs", budget: { usd: 2 } };
  expect(await client.ask(set)).toMatchObject({ ok: true, changed: true });
  expect(await client.ask({ cmd: "budget.list" })).toMatchObject({
    budgets: [
      { scope: "fleet", id: "docs", limit: { usd: 2 }, exceeded: [] },
      { scope: "day", limit: { tokens: 1000 }, exceeded: [] },
    ],
  });
});

test("on a terminal a fleet's status line makes way for every other line, and is gone in the end", async () => {
  const workspace = createWorkspace();
  await startDaemon(workspace);
  const workers = ["code", "docs"].map((name, index) => {
    const needs = index === 0 ? "" : ", needs: [code]";
    return `  - { name: ${name}, mission: m, harness: fake, scenario: tools${needs} }`;
  });
  seedFile(workspace, "fleet.yaml", ["name: pair", "workers:", ...workers, ""].join("\n"));
  const session = openTerminal(workspace, ["fleet", "fleet.yaml"]);
  const screen = await session.shows(/ended with 0/);
  expect(screen).toMatch(/^docs +starting/m);
  // A status line is what begins with a number; the totals below the table are the only such line that stays.
  expect(screen.match(/^\d+ (of|waiting|starting|running|done).*$/gm)).toEqual([
    expect.stringMatching(/^2 of 2 workers done/),
  ]);
});
