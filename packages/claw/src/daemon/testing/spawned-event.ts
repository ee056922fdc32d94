import type { WorkerSpawned } from "claw-contract/schemas";

/** How a worker was started, for tests that care for little of it. */
export const spawnedEvent = (peerId: string, more: Partial<WorkerSpawned> = {}): WorkerSpawned => ({
  peerId,
  name: "lexer",
  harness: "fake",
  mode: "headless",
  mission: "write the lexer",
  model: null,
  cwd: "/home/ada/lexer",
  parent_id: null,
  fleet: null,
  bootId: "boot-1",
  attempt: 1,
  pid: 4711,
  worktree: null,
  checks: [],
  budget: null,
  trouble: { stale: "alert", hung: "alert", crash: "alert", restarts: 3 },
  folder: `/home/ada/lexer/.claws/workers/${peerId}`,
  ts: "2026-01-01T00:00:00.000Z",
  ...more,
});
