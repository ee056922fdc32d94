import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Peer } from "../../bus/index.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { createFleet } from "../fleet/fleet.ts";
import { permitOrder } from "./order-rules.ts";
import { readOrder } from "./worker-order.ts";

const WORKER = { id: "p_000009", role: "worker" } as Peer;
const ORCHESTRATOR = { id: "p_000001", role: "orchestrator" } as Peer;

const permit = (peer: Peer, cwd: string, more: object) =>
  permitOrder(readOrder({ harness: "fake", mission: "x", ...more }, cwd), peer, {
    fleet: createFleet(),
    options: { cwd },
    context: { peers: new Map([[ORCHESTRATOR.id, ORCHESTRATOR]]) },
  });

const DENIED = expect.objectContaining({ code: "PERMISSION_DENIED" }) as Error;

test("a worker has the daemon run no commands, unless it may do everything itself", () => {
  const cwd = temporaryFolder(onTestFinished);
  for (const more of [{ checks: ["id"] }, { worktree: { setup: ["id"] } }, { worktree: { teardown: ["id"] } }]) {
    expect(() => permit(WORKER, cwd, more)).toThrow(DENIED);
    expect(permit(ORCHESTRATOR, cwd, more).cwd).toBe(cwd);
  }
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
