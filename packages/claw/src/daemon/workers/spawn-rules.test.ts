import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { LIMITS, requestReader } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import type { ConnectedPeer } from "../../bus/index.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { createWorkerRegistry } from "../worker-registry/worker-registry.ts";
import { spawnedEvent } from "../testing/spawned-event.ts";
import type { Rules } from "./spawn-rules.ts";
import { permitSpawn } from "./spawn-rules.ts";
import type { SpawnRequest } from "./launch-worker.ts";

const WORKER = { id: "p_000009", role: "worker", name: "lexer" } as ConnectedPeer;
const ORCHESTRATOR = { id: "p_000001", role: "orchestrator" } as ConnectedPeer;

/** With `started`, the worker was started here like that. */
function rulesOf(cwd: string, started?: Readonly<Record<string, unknown>>): Rules {
  const registry = createWorkerRegistry();
  if (started !== undefined) {
    const payload = { ...spawnedEvent(WORKER.id, { cwd }), ...started };
    const stored = { from: "server", tsServer: payload.ts, sequence: 1, live: true };
    registry.memory.apply({ ...stored, topic: "system.worker.spawned", payload });
  }
  return { registry, options: { cwd }, host: { peers: new Map([[ORCHESTRATOR.id, ORCHESTRATOR]]) } };
}

function readSpawn(fields: Readonly<Record<string, unknown>>): SpawnRequest {
  const reading = requestReader("worker.spawn")?.(fields);
  if (reading?.kind !== "read") throw new Error("the request does not fit the contract");
  return reading.fields as SpawnRequest;
}

const permit = (peer: ConnectedPeer, cwd: string, more: object, rules: Rules = rulesOf(cwd)) =>
  permitSpawn(readSpawn({ harness: "fake", mission: "x", cwd, ...more }), peer, rules);

const DENIED = expect.objectContaining({ code: "PERMISSION_DENIED" }) as Error;

test("a worker has the daemon run no commands, unless it may do everything itself", () => {
  const cwd = temporaryFolder(onTestFinished);
  for (const more of [{ checks: ["id"] }, { worktree: { setup: ["id"] } }, { worktree: { teardown: ["id"] } }]) {
    expect(() => permit(WORKER, cwd, more)).toThrow(DENIED);
    expect(permit(ORCHESTRATOR, cwd, more).cwd).toBe(cwd);
  }
});

test.each([
  ["a variable that loads code", { env: { NODE_OPTIONS: "--require=/tmp/x.cjs" } }, "env"],
  ["a variable that names programs", { env: { PATH: "/tmp" } }, "env"],
  ["any variable", { env: { HARMLESS: "" } }, "env"],
  ["a scenario's file", { scenario: "/tmp/x.json" }, "scenario"],
  ["a built-in scenario", { scenario: "text" }, "scenario"],
])("a worker passes %s to nobody, whatever it may do itself", (_what, more, target) => {
  const cwd = temporaryFolder(onTestFinished);
  for (const mode of ["workspace-write", "danger-full-access"]) {
    const rules = rulesOf(cwd, { permission_mode: mode });
    const refused = expect.objectContaining({ code: "PERMISSION_DENIED", target }) as Error;
    expect(() => permit(WORKER, cwd, more, rules)).toThrow(refused);
    expect(permit(ORCHESTRATOR, cwd, more, rules)).toMatchObject(more);
    expect(permit(WORKER, cwd, { env: {} }, rules)).toMatchObject({ parent_id: WORKER.id, permission_mode: mode });
  }
});

test("a worker that comes back under another id is held to what it was started with", () => {
  const cwd = temporaryFolder(onTestFinished);
  const rules = rulesOf(cwd, { permission_mode: "read-only", budget: { usd: 1 } });
  const again = { ...WORKER, id: "p_000010" } as ConnectedPeer;
  expect(() => permit(again, cwd, { permission_mode: "workspace-write" }, rules)).toThrow(DENIED);
  const child = { parent_id: WORKER.id, permission_mode: "read-only", budget: { usd: 1 } };
  expect(permit(again, cwd, {}, rules)).toMatchObject(child);
});

test("a worker in claw's sandbox starts nobody who is outside of it", () => {
  const cwd = temporaryFolder(onTestFinished);
  mkdirSync(join(cwd, "below"));
  const limited = rulesOf(cwd, { harness: "claw", permission_mode: "workspace-write" });
  const free = rulesOf(cwd, { harness: "claw", permission_mode: "danger-full-access" });
  const target = (name: string): Error => expect.objectContaining({ code: "PERMISSION_DENIED", target: name }) as Error;
  for (const harness of ["claude-code", "codex"]) {
    expect(() => permit(WORKER, cwd, { harness }, limited)).toThrow(target("harness"));
    expect(permit(WORKER, cwd, { harness }, free).harness).toBe(harness);
  }
  expect(() => permit(WORKER, cwd, { harness: "claw", cwd: join(cwd, "below") }, limited)).toThrow(target("cwd"));
  expect(permit(WORKER, cwd, { harness: "claw", cwd: join(cwd, "below") }, free).harness).toBe("claw");
  expect(permit(WORKER, cwd, { harness: "claw" }, limited).harness).toBe("claw");
});

test("a worker works for somebody who is there, and for nobody else", () => {
  const cwd = temporaryFolder(onTestFinished);
  expect(permit(ORCHESTRATOR, cwd, { parent_id: ORCHESTRATOR.id }).parent_id).toBe(ORCHESTRATOR.id);
  for (const parent_id of ["p_ffffff", "../../x", "x".repeat(100_000)]) {
    const unknown = expect.objectContaining({ code: "WORKER_NOT_FOUND" }) as Error;
    expect(() => permit(ORCHESTRATOR, cwd, { parent_id })).toThrow(unknown);
  }
});

test("a worker starts others neither outside the folder nor through a link that leads out of it", () => {
  const base = temporaryFolder(onTestFinished);
  const cwd = join(base, "project");
  mkdirSync(join(cwd, "..inside"), { recursive: true });
  symlinkSync(base, join(cwd, "out"));
  expect(() => permit(WORKER, cwd, { cwd: base })).toThrow(DENIED);
  expect(() => permit(WORKER, cwd, { cwd: join(cwd, "out") })).toThrow(DENIED);
  expect(permit(WORKER, cwd, { cwd: join(cwd, "..inside") }).parent_id).toBe(WORKER.id);
});

test("a worker works in the daemon's folder unless the request names another, and only in a folder that is there", () => {
  const cwd = temporaryFolder(onTestFinished);
  expect(permit(ORCHESTRATOR, cwd, { cwd: null }).cwd).toBe(cwd);
  expect(() => permit(ORCHESTRATOR, cwd, { cwd: "below" })).toThrow(
    expect.objectContaining({ code: "INVALID_FLAG_VALUE", target: "cwd" }),
  );
  expect(() => permit(ORCHESTRATOR, cwd, { cwd: join(cwd, "none") })).toThrow(
    expect.objectContaining({ code: "INVALID_CWD" }),
  );
});

test("a mission that is too long is refused", () => {
  const mission = "x".repeat(LIMITS.workerMissionBytes + 1);
  expect(() => permit(ORCHESTRATOR, temporaryFolder(onTestFinished), { mission })).toThrow(
    expect.objectContaining({ code: "REQUEST_TOO_LARGE", target: "mission" }),
  );
});

test.each([
  [{}, null],
  [{ run: {} }, null],
  [{ usd: null, tokens: 5 }, { tokens: 5 }],
  [
    { usd: 0, run: { usd: 1 } },
    { usd: 0, run: { usd: 1 } },
  ],
])("of the budget %j, only limits that are set count", (budget, kept) => {
  expect(permit(ORCHESTRATOR, temporaryFolder(onTestFinished), { budget }).budget).toEqual(kept);
});
