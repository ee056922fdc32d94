import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { ConnectedPeer } from "../../bus/index.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { createFleet } from "../fleet/fleet.ts";
import { spawnedEvent } from "../testing/spawned-event.ts";
import type { Rules } from "./order-rules.ts";
import { permitOrder } from "./order-rules.ts";
import { readOrder } from "./worker-order.ts";

const WORKER = { id: "p_000009", role: "worker", name: "lexer" } as ConnectedPeer;
const ORCHESTRATOR = { id: "p_000001", role: "orchestrator" } as ConnectedPeer;

/** With `started`, the worker was started here like that. */
function rulesOf(cwd: string, started?: Readonly<Record<string, unknown>>): Rules {
  const fleet = createFleet();
  if (started !== undefined) {
    const payload = { ...spawnedEvent(WORKER.id, { cwd }), ...started };
    const stored = { from: "server", tsServer: payload.ts, sequence: 1, live: true };
    fleet.memory.apply({ ...stored, topic: "system.worker.spawned", payload });
  }
  return { fleet, options: { cwd }, host: { peers: new Map([[ORCHESTRATOR.id, ORCHESTRATOR]]) } };
}

const permit = (peer: ConnectedPeer, cwd: string, more: object, rules: Rules = rulesOf(cwd)) =>
  permitOrder(readOrder({ harness: "fake", mission: "x", ...more }, cwd), peer, rules);

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
    expect(permit(WORKER, cwd, { env: {} }, rules)).toMatchObject({ parentId: WORKER.id, permissionMode: mode });
  }
});

test("a worker that comes back under another id is held to what it was started with", () => {
  const cwd = temporaryFolder(onTestFinished);
  const rules = rulesOf(cwd, { permission_mode: "read-only", budget: { usd: 1 } });
  const again = { ...WORKER, id: "p_000010" } as ConnectedPeer;
  expect(() => permit(again, cwd, { permission_mode: "workspace-write" }, rules)).toThrow(DENIED);
  const child = { parentId: WORKER.id, permissionMode: "read-only", budget: { usd: 1 } };
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
  expect(permit(ORCHESTRATOR, cwd, { parent_id: ORCHESTRATOR.id }).parentId).toBe(ORCHESTRATOR.id);
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
  expect(permit(WORKER, cwd, { cwd: join(cwd, "..inside") }).parentId).toBe(WORKER.id);
});
