import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame } from "../e2e/daemon-process.ts";
import { isAlive } from "../e2e/daemon-process.ts";
import { textOf } from "../e2e/provocations.ts";
import type { SceneWorker } from "../e2e/worker-scene.ts";
import { DONE, HEADLESS_CLIS } from "./headless-clis.ts";
import { createRealScene, processesIn } from "./real-scene.ts";
import { agentOf, claw, clawText, spawnHeadless, untilState } from "./real-workers.ts";

const ALL_PHASES = ["PLAN", "SPAWN", "DEPLOY", "OBSERVE", "HARVEST", "CLEANUP", "REFLECT"];
const HANG = { kind: "hang", at: "after-headers" } as const;

const signalsOf = (worker: SceneWorker): unknown[] => worker.events("signal").map(({ signal }) => signal);

const isCli = (pid: string): boolean => /\/(claude|codex)\0/.test(textOf(`/proc/${pid}/cmdline`) ?? "");

const stepsOf = (sent: Frame): unknown[] => (sent["steps"] as Frame[]).map(({ step }) => step);

describe.each(HEADLESS_CLIS)("$harness as a headless worker", ({ harness, flags, runs, asks, asked }) => {
  const spawn = ["--harness", harness, ...flags];

  test("boots, works, counts, asks, is allowed to, and completes", async () => {
    const scene = await createRealScene({ turns: [runs, asks, DONE] });
    const worker = await spawnHeadless(scene, ...spawn, "write the note");
    await untilState(scene, "needs_input");
    expect(await clawText(scene, "approvals")).toMatch(asked);
    // Both calls are told while the question is open.
    const isCounted = ({ tokens_in: read, total_tool_calls: calls }: Frame): boolean => read === 2000 && calls === 2;
    const beats = await worker.until("a count", (found) => found.some(isCounted), "heartbeat");
    expect(beats.find(isCounted)?.["cost_usd"]).toBeGreaterThan(0);
    await claw(scene, "approve", worker.id);
    expect(await worker.complete()).toMatchObject({
      result: "ok",
      output: "Running a command.\nAll done.",
      tool_calls: 2,
      total_tokens: 3060,
      total_cost_usd: expect.toSatisfy((usd: number) => usd > 0),
      phases_completed: ALL_PHASES,
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(worker.events("boot")).toMatchObject([{ mission_summary: "write the note", capabilities: ["commands"] }]);
    expect(worker.phases()).toEqual(ALL_PHASES);
    const told = ["turn_started", "tool_started", "tool_ended", "needs_input", "turn_ended", "exited"];
    expect(signalsOf(worker)).toEqual(expect.arrayContaining(told));
    expect(existsSync(join(scene.cwd, "out.txt"))).toBe(true);
    await untilState(scene, "finished");
  });

  test("heeds a refusal, and goes on", async () => {
    const scene = await createRealScene({ turns: [asks, DONE] });
    const worker = await spawnHeadless(scene, ...spawn, "write the note");
    await untilState(scene, "needs_input");
    await claw(scene, "reject", worker.id, "--reason", "not today");
    expect(await worker.complete()).toMatchObject({ result: "ok", output: "All done." });
    expect(existsSync(join(scene.cwd, "out.txt"))).toBe(false);
    expect(scene.requests()).toHaveLength(2);
    expect(JSON.stringify(scene.requests().at(-1)?.body)).toContain("not today");
  });

  test("has a text that is sent meanwhile, and takes it when it comes to it", async () => {
    const scene = await createRealScene({ turns: [asks, DONE] });
    const worker = await spawnHeadless(scene, ...spawn, "write the note");
    await untilState(scene, "needs_input");
    const sent = await claw(scene, "send", worker.id, "and water the plants", "--wait", "submitted");
    expect(stepsOf(sent)).toEqual(["accepted", "queued", "injected", "submitted"]);
    expect((sent["steps"] as Frame[]).at(-1)).toMatchObject({ evidence: { kind: "signal", value: "read" } });
    await claw(scene, "approve", worker.id);
    expect(await worker.complete()).toMatchObject({ result: "ok" });
    expect(worker.steps(String(sent["command_id"]))).toEqual(["queued", "injected", "submitted", "acked", "applied"]);
    const bodies = scene.requests().map(({ body }) => JSON.stringify(body).split("and water the plants").length - 1);
    expect(bodies[0]).toBe(0);
    expect(bodies.at(-1)).toBe(1);
  });

  test("stands still when it is paused, goes on, and ends with all it started when it is aborted", async () => {
    const scene = await createRealScene({ turns: [HANG] });
    const worker = await spawnHeadless(scene, ...spawn, "think");
    await until("a request", () => scene.requests().length > 0);
    const agent = await agentOf(worker.pid);
    expect(processesIn(scene).filter(isCli)).not.toEqual([]);
    expect(stepsOf(await claw(scene, "pause", worker.id))).toContain("applied");
    expect(textOf(`/proc/${agent}/stat`)).toMatch(/\) T /);
    expect(await untilState(scene, "paused")).toMatchObject({ reason: "it was told to pause" });
    expect(stepsOf(await claw(scene, "resume", worker.id))).toContain("applied");
    expect(textOf(`/proc/${agent}/stat`)).not.toMatch(/\) T /);
    await untilState(scene, "working");
    expect(stepsOf(await claw(scene, "abort", worker.id, "--reason", "enough"))).toContain("applied");
    expect(await worker.complete()).toMatchObject({ result: "cancelled", summary: "enough" });
    await worker.until("its end", (found) => found.length === 1, "system.worker.terminated");
    expect([isAlive(agent), isAlive(worker.pid)]).toEqual([false, false]);
    expect(processesIn(scene).filter(isCli)).toEqual([]);
  });
});
