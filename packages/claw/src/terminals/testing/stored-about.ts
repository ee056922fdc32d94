import type { Terminal } from "claw-contract";

/** A stored terminal that nothing has happened to. */
export const ABOUT: Terminal = {
  id: "1",
  name: "one",
  pid: 0,
  program: null,
  argv: ["cat"],
  cwd: "/",
  cols: 80,
  rows: 24,
  openedAt: "2026-01-01T00:00:00.000Z",
  correlationId: null,
  workerId: null,
  integrated: false,
  end: null,
  sizes: [],
};
