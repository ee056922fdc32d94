import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join as joinPath } from "node:path";
import { ClawError } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../../process/testing/until.ts";
import type { BusExtension, BusHost } from "../../../bus/index.ts";
import type { BusHarness, Frame, Joined } from "../../../bus/testing/bus-harness.ts";
import { join, request, settle, startBus } from "../../../bus/testing/bus-harness.ts";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { logged } from "../approvals/testing/approval-scene.ts";
import { createWorkerRegistry } from "../../worker-registry/worker-registry.ts";
import type { Lifetime } from "../../process/keep-running.ts";
import { createLifetime } from "../../process/keep-running.ts";
import { createCompletion } from "./completion.ts";
import { hashArtifact } from "./hash-artifact.ts";
import type { Restarter } from "./judgement.ts";

interface Scene {
  readonly harness: BusHarness;
  readonly worker: Joined;
  readonly person: Joined;
  readonly folder: string;
  readonly cwd: string;
  /** Ends what goes on, as a daemon that stops. */
  readonly stop: () => Promise<void>;
  readonly complete: (more?: Frame) => Promise<Frame>;
  /** Waits for an event of a topic. */
  readonly told: (topic: string, count?: number) => Promise<Frame[]>;
}

interface SceneOptions {
  readonly checks?: readonly string[];
  readonly restarter?: Restarter;
  readonly checkMs?: number;
  readonly env?: NodeJS.ProcessEnv;
}

async function told({ log }: Pick<BusHarness, "log">, topic: string, count = 1): Promise<Frame[]> {
  for (const deadline = Date.now() + 20_000; Date.now() < deadline;) {
    const found = await logged({ log }, topic);
    if (found.length >= count) return found.map(({ payload }) => payload);
    await settle();
  }
  throw new Error(`${topic} did not come`);
}

const spawnedAs = (peerId: string, folder: string, cwd: string, checks: readonly string[]): Frame => ({
  peerId,
  name: "fixer",
  harness: "fake",
  mode: "headless",
  mission: "fix it",
  model: null,
  cwd,
  parent_id: null,
  fleet: null,
  bootId: "b1",
  attempt: 1,
  pid: 1,
  worktree: null,
  checks,
  budget: null,
  trouble: { stale: "alert", hung: "alert", crash: "alert", restarts: 3 },
  folder,
  ts: "2026-01-01T00:00:00.000Z",
});

async function begin({ checks = [], restarter, checkMs, env = process.env }: SceneOptions = {}): Promise<Scene> {
  const folder = temporaryFolder(onTestFinished);
  const cwd = joinPath(folder, "work");
  mkdirSync(cwd);
  const lifetimes: Lifetime[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(lifetimes.map((lifetime) => lifetime.end()));
  };
  onTestFinished(stop);
  const extend = (host: BusHost): readonly BusExtension[] => {
    const registry = createWorkerRegistry();
    const lifetime = createLifetime();
    lifetimes.push(lifetime);
    const more = { ...(restarter === undefined ? {} : { restarter }), ...(checkMs === undefined ? {} : { checkMs }) };
    const { extension } = createCompletion(host, { registry, env, lifetime, ...more });
    return [{ name: "worker-registry", memory: registry.memory }, extension];
  };
  const harness = await startBus({ extend });
  const worker = await join(harness, "worker");
  const person = await join(harness, "orchestrator");
  const payload = spawnedAs(worker.id, folder, cwd, checks);
  harness.bus.host.publish([{ topic: "system.worker.spawned", payload }], () => undefined);
  await settle();
  const complete = (more: Frame = {}): Promise<Frame> =>
    request(worker.client, {
      cmd: "publish",
      topic: `worker.${worker.id}.complete`,
      payload: { result: "ok", summary: "done", artifacts: [], phases_completed: [], tool_calls: 2, ...more },
    });
  return { harness, worker, person, folder, cwd, stop, complete, told: (topic, count) => told(harness, topic, count) };
}

/** Asks for a judgement and waits for its answer: files are read for it. */
async function judge({ person, worker }: Scene, kind: string, more: Frame = {}): Promise<Frame> {
  const id = `judge ${person.client.frames.length}`;
  person.client.send(JSON.stringify({ id, cmd: `worker.${kind}`, worker: worker.id, ...more }));
  for (const deadline = Date.now() + 20_000; Date.now() < deadline;) {
    await settle();
    const reply = person.client.frames.map((frame) => JSON.parse(frame) as Frame).find(({ rid }) => rid === id);
    if (reply !== undefined) return reply;
  }
  throw new Error(`${kind} was not answered`);
}

test("a report is looked at: artifacts are hashed as they are, and what is none is said", async () => {
  const scene = await begin();
  writeFileSync(joinPath(scene.cwd, "a.txt"), "hello");
  symlinkSync("/etc/passwd", joinPath(scene.cwd, "link"));
  symlinkSync("/etc", joinPath(scene.cwd, "etc"));
  const paths = [
    "a.txt",
    joinPath(scene.cwd, "a.txt"),
    "gone.txt",
    "link",
    "etc/passwd",
    "../x",
    "/dev/zero",
    ".",
    "/etc/passwd",
  ];
  await scene.complete({ artifacts: paths.map((path) => ({ path })) });
  const [completed] = await scene.told("system.worker.completed");
  const sha256 = createHash("sha256").update("hello").digest("hex");
  const problem = (name: string): object => expect.objectContaining({ sha256: null, problem: name });
  expect(completed).toMatchObject({ result: "ok", doubts: ["missing_artifact", "unreadable_artifact"] });
  expect(completed?.["artifacts"]).toEqual([
    { path: "a.txt", sha256, size_bytes: 5 },
    { path: joinPath(scene.cwd, "a.txt"), sha256, size_bytes: 5 },
    problem("missing"),
    problem("not_a_file"),
    problem("outside"),
    problem("outside"),
    problem("outside"),
    problem("not_a_file"),
    problem("outside"),
  ]);
});

test("an artifact is found by its whole path through a link to the worker's folder, and by where that leads", async () => {
  const folder = temporaryFolder(onTestFinished);
  const [real, link] = [joinPath(folder, "real"), joinPath(folder, "link")];
  mkdirSync(real);
  writeFileSync(joinPath(real, "a.txt"), "hello");
  writeFileSync(joinPath(folder, "b.txt"), "not mine");
  symlinkSync(real, link);
  const { signal } = new AbortController();
  const hash = async (path: string): Promise<unknown> => (await hashArtifact(path, link, signal)).sha256;
  const sha256 = createHash("sha256").update("hello").digest("hex");
  const paths = ["a.txt", joinPath(real, "a.txt"), joinPath(link, "a.txt"), joinPath(folder, "b.txt"), "../b.txt"];
  expect(await Promise.all(paths.map(hash))).toEqual([sha256, sha256, sha256, null, null]);
  expect(await hashArtifact(joinPath(real, "a.txt"), null, signal)).toEqual({ sha256: null, problem: "outside" });
});

test("a file of somebody else is not read, and shows no work", async () => {
  const scene = await begin();
  const other = joinPath(temporaryFolder(onTestFinished), "old.txt");
  writeFileSync(other, "not mine");
  await scene.complete({ artifacts: [{ path: other }], tool_calls: 0 });
  const [completed] = await scene.told("system.worker.completed");
  expect(completed).toMatchObject({
    doubts: ["no_work", "unreadable_artifact"],
    artifacts: [{ path: other, sha256: null, problem: "outside" }],
  });
});

test("success without any work is doubted, and accepted only by insisting", async () => {
  const scene = await begin();
  await scene.complete({ tool_calls: 0 });
  expect(await scene.told("system.worker.completed")).toMatchObject([{ doubts: ["no_work"] }]);
  expect(await judge(scene, "accept")).toMatchObject({ ok: false, code: "CONFIRMATION_REQUIRED" });
  expect(await judge(scene, "accept", { force: true })).toMatchObject({ ok: true, objections: ["no_work"] });
  expect(await judge(scene, "accept")).toMatchObject({ ok: true, noop: true });
  expect(await scene.told("system.worker.accepted")).toHaveLength(1);
});

test("checks that pass make it verified; their output is kept without secrets, and theirs is no secret of the daemon", async () => {
  const env = { ...process.env, SOME_API_KEY: "key-0123456789abcdef" };
  const scene = await begin({ checks: ['echo "key is $SOME_API_KEY"; echo oops >&2; pwd', "true"], env });
  await scene.complete();
  const [verified] = await scene.told("system.worker.verified");
  expect(verified).toMatchObject({ passed: true, checks: [{ passed: true, exit_code: 0 }, { passed: true }] });
  const output = joinPath(scene.folder, "checks", "1.log");
  expect(readFileSync(output, "utf8")).toBe(`key is \noops\n${scene.cwd}\n`);
  expect((verified?.["checks"] as Frame[] | undefined)?.[0]).toMatchObject({ output_path: output });
  expect(await judge(scene, "accept", { note: "good" })).toMatchObject({ ok: true, completion: "accepted" });
});

test("a check that takes too long is ended, and said to have failed", async () => {
  const scene = await begin({ checks: ["sleep 60 & sleep 60"], checkMs: 300 });
  await scene.complete();
  const [verified] = await scene.told("system.worker.verified");
  const check = { passed: false, exit_code: null, output_tail: "(did not end within 0.3 s)" };
  expect(verified).toMatchObject({ passed: false, checks: [check] });
});

test("checks that fail or print without end are told as they ended", async () => {
  const checks = ["echo no; exit 3", "head -c 9000000 /dev/zero | tr '\\0' x; echo end"];
  const scene = await begin({ checks });
  await scene.complete();
  const [verified] = await scene.told("system.worker.verified");
  expect(verified).toMatchObject({
    passed: false,
    checks: [
      { passed: false, exit_code: 3, output_tail: "no\n" },
      { passed: true, exit_code: 0 },
    ],
  });
  const huge = (verified?.["checks"] as { output_tail: string; output_path: string }[] | undefined)?.[1];
  expect(huge?.output_tail.length).toBeLessThan(5000);
  expect(readFileSync(huge?.output_path ?? "", "utf8")).toMatch(/x\n… \(\d+ more bytes\)\n$/);
  expect(await judge(scene, "accept")).toMatchObject({ ok: false, code: "CONFIRMATION_REQUIRED" });
});

test("a check that a stop cut off is run again after the start, and told once", async () => {
  const scene = await begin({ checks: ["echo run >> ran; test -e gate || sleep 60"] });
  await scene.complete();
  const ran = joinPath(scene.cwd, "ran");
  await until("the check", () => existsSync(ran));
  expect(await judge(scene, "accept")).toMatchObject({ ok: false, code: "WORKER_NOT_REPORTED" });
  await scene.stop();
  expect(await logged(scene.harness, "system.worker.verified")).toEqual([]);
  writeFileSync(joinPath(scene.cwd, "gate"), "");
  const again = await scene.harness.restart();
  expect(await told(again, "system.worker.verified")).toMatchObject([{ passed: true }]);
  expect(readFileSync(ran, "utf8")).toBe("run\nrun\n");
  const third = await again.restart();
  await settle();
  expect(await logged(third, "system.worker.verified", "system.worker.completed")).toHaveLength(2);
});

test("what failed is not checked, and what changed since is not accepted by the way", async () => {
  const scene = await begin({ checks: ["touch checked"] });
  writeFileSync(joinPath(scene.cwd, "a.txt"), "one");
  await scene.complete({ result: "failed", artifacts: [{ path: "a.txt" }] });
  await scene.told("system.worker.completed");
  writeFileSync(joinPath(scene.cwd, "a.txt"), "two");
  await settle();
  expect(existsSync(joinPath(scene.cwd, "checked"))).toBe(false);
  expect(await judge(scene, "accept")).toMatchObject({
    code: "CONFIRMATION_REQUIRED",
    details: { objections: ["result_failed", "changed_since"] },
  });
});

test("a result is sent back with a reason, and again after a crash before the worker was started", async () => {
  const calls: string[] = [];
  const restarter = { restart: async (peerId: string, reason: string) => void calls.push(`${peerId} ${reason}`) };
  const scene = await begin({ restarter });
  expect(await judge(scene, "rework", { reason: "tests fail" })).toMatchObject({ code: "WORKER_NOT_REPORTED" });
  await scene.complete();
  await scene.told("system.worker.completed");
  expect(await judge(scene, "rework")).toMatchObject({ ok: false });
  expect(await judge(scene, "rework", { reason: "tests fail" })).toMatchObject({ ok: true, completion: "rework" });
  expect(await judge(scene, "accept")).toMatchObject({ code: "WORKER_NOT_REPORTED" });
  await scene.harness.restart();
  expect(calls).toEqual([`${scene.worker.id} tests fail`, `${scene.worker.id} tests fail`]);
});

test("a result that there is no money to do again is not sent back, and can still be accepted", async () => {
  const restarter = {
    restart: () => Promise.reject(new Error("not reached")),
    overBudget: () => "its budget is spent",
  };
  const scene = await begin({ restarter });
  await scene.complete();
  await scene.told("system.worker.completed");
  const refused = { ok: false, code: "BUDGET_EXCEEDED", error: "its budget is spent" };
  expect(await judge(scene, "rework", { reason: "again" })).toMatchObject(refused);
  expect(await judge(scene, "accept", { force: true })).toMatchObject({ ok: true, completion: "accepted" });
});

test.each([
  [new ClawError("DISK_FULL", "no space left", { operation: "save", target: "job.json" }), "DISK_FULL"],
  [new Error("unheard of"), "WORKER_FAILED"],
])("a result that could not be sent back says why: %s", async (problem, code) => {
  const scene = await begin({ restarter: { restart: () => Promise.reject(problem) } });
  await scene.complete();
  await scene.told("system.worker.completed");
  expect(await judge(scene, "rework", { reason: "again" })).toMatchObject({ ok: false, code });
  expect(scene.harness.reports.splice(0).some((text) => text.includes("unheard of"))).toBe(code === "WORKER_FAILED");
});

test("nobody is sent back who cannot be started, and nobody judged who is not there", async () => {
  const scene = await begin();
  await scene.complete();
  await scene.told("system.worker.completed");
  expect(await judge(scene, "rework", { reason: "no" })).toMatchObject({ ok: false, code: "WORKER_ENDED" });
  expect(await judge(scene, "accept", { worker: "nobody" })).toMatchObject({ ok: false, code: "WORKER_NOT_FOUND" });
  const byWorker = await request(scene.worker.client, { cmd: "worker.accept", worker: scene.worker.id });
  expect(byWorker).toMatchObject({ ok: false });
});
