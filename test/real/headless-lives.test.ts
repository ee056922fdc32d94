import { describe, expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame } from "../e2e/daemon-process.ts";
import { killHard } from "../e2e/daemon-process.ts";
import type { Attempt, Fault, Turn } from "../model-server/model-scenario.ts";
import { say } from "../model-server/model-scenario.ts";
import { DONE, HEADLESS_CLIS } from "./headless-clis.ts";
import type { RealScene } from "./real-scene.ts";
import { createRealScene } from "./real-scene.ts";
import { agentOf, claw, spawnHeadless, untilState } from "./real-workers.ts";

const HANG = { kind: "hang", at: "after-headers" } as const;

/** How long a worker is parked: long enough to say something to it. */
const LIMIT_SECONDS = 15;

/** A model that refuses once, from then for that time. */
function limitOnce(limited: (resetsAt: number) => Fault): { readonly turn: Turn; readonly resetsAt: () => number } {
  let resetsAt = 0;
  const turn = (): Attempt => {
    if (resetsAt > 0) return say("Going on.");
    resetsAt = Math.ceil(Date.now() / 1000) + LIMIT_SECONDS;
    return limited(resetsAt);
  };
  return { turn, resetsAt: () => resetsAt };
}

const lastBody = (scene: RealScene): string => JSON.stringify(scene.requests().at(-1)?.body);

/** The worker that is there, as `claw ps` tells. */
async function onlyWorker(scene: RealScene): Promise<Frame> {
  const [worker = {}] = (await claw(scene, "ps"))["workers"] as Frame[];
  return worker;
}

describe.each(HEADLESS_CLIS)("$harness as a headless worker", ({ harness, flags, runs, ...cli }) => {
  const spawn = ["--harness", harness, ...flags];

  test("is parked at a usage limit until its reset, and goes on with its session", async () => {
    const limit = limitOnce(cli.limited);
    const scene = cli.subscribed(await createRealScene({ turns: [runs, limit.turn, DONE] }));
    const worker = await spawnHeadless(scene, ...spawn, "say hello");
    const isParked = ({ state }: Frame): boolean => state === "rate_limited";
    const states = await worker.until("the limit", (found) => found.some(isParked), "system.worker.state");
    const parkedUntil = Date.parse(String(states.find(isParked)?.["until"]));
    expect(parkedUntil).toBeGreaterThanOrEqual(limit.resetsAt() * 1000);
    expect(parkedUntil).toBeLessThan((limit.resetsAt() + LIMIT_SECONDS) * 1000);
    const sent = await claw(scene, "send", worker.id, "and water the plants", "--wait", "accepted");
    const complete = await worker.complete();
    expect(complete).toMatchObject({ result: "ok", output: expect.stringContaining("Going on."), tool_calls: 1 });
    expect(worker.phases()).toEqual(expect.arrayContaining(["RECOVER", "OBSERVE", "REFLECT"]));
    expect(worker.steps(String(sent["command_id"]))).toEqual(["queued", "injected", "submitted", "acked", "applied"]);
    for (const said of ["say hello", "tool-ran", "the usage limit is over", "and water the plants"]) {
      expect(lastBody(scene)).toContain(said);
    }
  });

  test("is started anew when it is killed, is told so, and goes on with its session", async () => {
    const scene = await createRealScene({ turns: [runs, [HANG, DONE], DONE] });
    const worker = await spawnHeadless(scene, ...spawn, "--on-crash", "restart", "say hello");
    await until("the second request", () => scene.requests().length === 2);
    await until("the output of the tool in the agent's file", () => cli.hasKeptOutput(scene));
    await killHard(await agentOf(worker.pid));
    expect(await worker.complete()).toMatchObject({ result: "ok", output: "All done." });
    expect(worker.events("system.worker.spawned")).toMatchObject([{ attempt: 1 }, { attempt: 2 }]);
    expect(worker.events("signal").map(({ signal }) => signal)).toContain("restarted");
    for (const said of ["tool-ran", "You were interrupted and have been started anew (start 2"]) {
      expect(lastBody(scene)).toContain(said);
    }
  });

  test("begins anew when the session it should go on with was lost", async () => {
    const scene = await createRealScene({ turns: [[HANG, DONE]] });
    const worker = await spawnHeadless(scene, ...spawn, "--on-crash", "restart", "say hello");
    await until("a request", () => scene.requests().length === 1);
    cli.forget(scene);
    await killHard(await agentOf(worker.pid));
    expect(await worker.complete()).toMatchObject({ result: "ok", output: "All done." });
    expect(lastBody(scene)).toContain("say hello");
    const logged = worker.events("event").map(({ message }) => message);
    expect(logged).toContain("the agent does not know its session any more; it begins anew");
  });

  test("goes on with its session when its work is sent back, and nothing is paid twice", async () => {
    const scene = await createRealScene({ turns: [runs, DONE, say("Better now.")] });
    const worker = await spawnHeadless(scene, ...spawn, "say hello");
    const first = await worker.complete();
    await untilState(scene, "finished");
    await claw(scene, "rework", worker.id, "say it louder");
    const [, second = {}] = await worker.until("another result", (found) => found.length === 2, "complete");
    expect(second).toMatchObject({ result: "ok", output: "Better now.", session_id: first["session_id"] });
    for (const said of ["tool-ran", "sent back (start 2)", "say it louder"]) expect(lastBody(scene)).toContain(said);
    expect([first["total_tokens"], second["total_tokens"]]).toEqual([2040, 1020]);
    const { cost_usd: paid, tokens } = await onlyWorker(scene);
    expect(paid).toBeCloseTo(Number(first["total_cost_usd"]) + Number(second["total_cost_usd"]), 6);
    expect(tokens).toBe(3060);
  });
});
