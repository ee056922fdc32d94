import { LIMITS } from "claw-contract";
import { expect, test } from "vitest";
import { until } from "../../process/testing/until.ts";
import { request, settle } from "../../bus/testing/bus-harness.ts";
import { spawnedEvent } from "../../daemon/testing/spawned-event.ts";
import type { Scene } from "../testing/supervised-bus.ts";
import { observe, openScene, pass, say, tell } from "../testing/supervised-bus.ts";

type Act = (scene: Scene) => Promise<unknown>;

const COMPLETE = { result: "ok", summary: "done", artifacts: [], phases_completed: [] };
const complete =
  (result: string): Act =>
  (scene) =>
    say(scene, "complete", { ...COMPLETE, result });

const WAY = ["SPAWN", "DEPLOY", "OBSERVE", "HARVEST", "CLEANUP", "REFLECT"];

const reflect: Act = async (scene) => {
  let prev = "PLAN";
  for (const phase of WAY) {
    await say(scene, "phase", { phase, prev, transition_reason: "next", phases_completed: [] });
    prev = phase;
  }
};

const fail: Act = (scene) =>
  say(scene, "phase", { phase: "FAILED", prev: "PLAN", transition_reason: "lost", phases_completed: [] });

const fatal: Act = (scene) => say(scene, "event", { kind: "ERROR", severity: "fatal", message: "boom" });

const lastBeat: Act = (scene) => {
  const vitals = { current_phase: "PLAN", time_in_phase_ms: 0, tokens_used: 5, cost_usd: 1 };
  return say(scene, "heartbeat", { ...vitals, severity: "fatal", message: "boom" });
};

const abort: Act = ({ boss, worker }) =>
  request(boss.client, { cmd: "publish", topic: `cmd.${worker.id}.abort`, payload: { reason: "enough" } });

const disconnect: Act = async ({ worker }) => {
  worker.client.close();
  await settle();
};

/** Lets the daemon find that the worker's process is gone. */
const crash: Act = async (scene) => {
  await disconnect(scene);
  await pass(scene, LIMITS.workerLookMs);
  await until("the end of its process", () => hasTerminated(scene));
  await pass(scene, 1);
};

async function hasTerminated({ harness }: Scene): Promise<boolean> {
  const { events } = await harness.log.read(0);
  return events.some(({ topic }) => topic === "system.worker.terminated");
}

const inTurn =
  (...acts: readonly Act[]): Act =>
  async (scene) => {
    for (const act of acts) await act(scene);
  };

const later =
  (ms: number): Act =>
  (scene) =>
    pass(scene, ms);

const ENDED = {
  isListedAsEnded: true,
  isFoundAsEnded: true,
  isNameFree: true,
  command: "WORKER_ENDED",
  openApprovals: 0,
  maySpend: false,
  isWaitOver: true,
  isLogOver: true,
};

const LIVING = {
  isListedAsEnded: false,
  isFoundAsEnded: false,
  isNameFree: false,
  command: "accepted",
  openApprovals: 1,
  maySpend: true,
  isWaitOver: false,
  isLogOver: false,
};

const gone = inTurn(disconnect, later(LIMITS.returnGraceMs + 1));

test.each<[how: string, act: Act, state: string]>([
  ["complete", complete("ok"), "finished"],
  ["complete with a failure", complete("failed"), "failed"],
  ["a fatal event", fatal, "failed"],
  ["a fatal heartbeat", lastBeat, "failed"],
  ["FAILED", fail, "failed"],
  ["REFLECT without a report", inTurn(reflect, later(LIMITS.reportGraceMs + 1)), "gone"],
  ["REFLECT, and leaving", inTurn(reflect, disconnect), "gone"],
  ["REFLECT and complete", inTurn(reflect, complete("ok")), "finished"],
  ["REFLECT and a late complete", inTurn(reflect, later(LIMITS.reportGraceMs + 1), complete("ok")), "finished"],
  ["a broken connection that does not come back", gone, "gone"],
  ["an abort that it reports", inTurn(abort, complete("cancelled")), "aborted"],
])("everybody agrees that a worker without a known process ended by %s", async (_how, act, state) => {
  const scene = await openScene();
  await act(scene);
  expect(await observe(scene)).toEqual({ ...ENDED, state, sdk: state });
});

test.each<[how: string, act: Act, state: string]>([
  ["complete", complete("ok"), "finished"],
  ["a fatal event", fatal, "failed"],
  ["REFLECT and complete", inTurn(reflect, complete("ok")), "finished"],
  ["a crash", crash, "gone"],
  ["a crash in REFLECT", inTurn(reflect, crash), "gone"],
  ["FAILED and the end of its process", inTurn(fail, crash), "failed"],
  ["an abort that it reports", inTurn(abort, complete("cancelled")), "aborted"],
  ["an abort during which its process ends", inTurn(abort, crash), "aborted"],
])("everybody agrees that a worker that the daemon started ended by %s", async (_how, act, state) => {
  const scene = await openScene({});
  await act(scene);
  expect(await observe(scene)).toEqual({ ...ENDED, state, sdk: state });
});

test.each<[how: string, started: object | undefined, act: Act, state: string]>([
  ["asks a question", undefined, () => Promise.resolve(), "needs_input"],
  ["has lost its connection a moment ago", undefined, disconnect, "needs_input"],
  ["has a known process, and lost its connection", {}, disconnect, "needs_input"],
])("everybody agrees that a worker lives that %s", async (_how, started, act, state) => {
  const scene = await openScene(started);
  await act(scene);
  expect(await observe(scene)).toEqual({ ...LIVING, state, sdk: state });
});

test("a worker in REFLECT asks and spends nothing more, and lives until its report", async () => {
  const scene = await openScene();
  await reflect(scene);
  expect(await observe(scene)).toEqual({
    ...LIVING,
    openApprovals: 0,
    maySpend: false,
    state: "working",
    sdk: "working",
  });
});

test("a worker that is replaced by another start of its own lives, and what it asked before is closed", async () => {
  const scene = await openScene({});
  const again = spawnedEvent(scene.worker.id, { attempt: 2, bootId: "boot-2", pid: 4712 });
  await tell(scene, "system.worker.spawned", { ...again });
  expect(await observe(scene)).toEqual({ ...LIVING, openApprovals: 0, state: "starting", sdk: "starting" });
});

test("a worker that crashed keeps its name and takes commands while a restart is planned", async () => {
  const scene = await openScene({ trouble: { stale: "alert", hung: "alert", crash: "restart", restarts: 3 } });
  const exit = { exit_code: 1, signal: null, expected: false };
  await tell(scene, "system.worker.terminated", { bootId: "boot-1", pid: 4711, ...exit });
  expect(await observe(scene)).toMatchObject({
    isListedAsEnded: false,
    isNameFree: false,
    command: "accepted",
    openApprovals: 0,
    maySpend: false,
    isWaitOver: false,
  });
});

test("a worker that comes back after it was taken for gone lives again", async () => {
  const scene = await openScene();
  await gone(scene);
  await tell(scene, "system.peer.joined", { role: "worker", peerName: "lexer" });
  expect(await observe(scene)).toMatchObject({ isListedAsEnded: false, isNameFree: false, command: "accepted" });
});

test("everybody agrees after a restart of the daemon, too", async () => {
  const scene = await openScene();
  await fatal(scene);
  const { harness } = scene;
  const restarted = await harness.restart();
  const boss = { ...scene.boss, client: restarted.transport.connect() };
  await request(boss.client, { cmd: "hello", protocol: "claws/2", role: "orchestrator", peerName: "boss" });
  expect(await observe({ ...scene, harness: restarted, boss })).toEqual({ ...ENDED, state: "failed", sdk: "failed" });
});
