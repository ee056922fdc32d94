import { until } from "../../packages/claw/src/process/testing/until.ts";
import { readLog } from "./daemon-process.ts";
import { askIn, withAnswer, withFixer, withQuestion } from "./fixer-scene.ts";
import type { Workspace } from "./workspace.ts";

interface OnDaemon {
  readonly args: readonly string[];
  readonly daemon: true;
}

const on = (prepare: (workspace: Workspace) => Promise<readonly string[]>) => ({
  prepare: async (workspace: Workspace): Promise<OnDaemon> => ({ args: await prepare(workspace), daemon: true }),
});

/** Calls about approvals and results that must fail. */
export const APPROVAL_PROVOCATIONS = {
  APPROVAL_NOT_FOUND: on(async (workspace) => {
    await withFixer(workspace);
    return ["approve", "ap_000000000000"];
  }),
  APPROVAL_ANSWERED: on(async (workspace) => ["approve", await withAnswer(workspace), "--choose", "B"]),
  APPROVAL_CHANGED: on(async (workspace) => {
    const scene = await withFixer(workspace);
    const old = await askIn(workspace, scene);
    await askIn(workspace, scene, { data: { command: "rm -rf /" } });
    return ["approve", old];
  }),
  APPROVAL_EXPIRED: on(async (workspace) => {
    const id = await askIn(workspace, await withFixer(workspace), { data: { timeout_ms: 1 } });
    await until("its time to be over", () =>
      readLog(workspace).some(({ topic }) => topic === "system.approval.expired"),
    );
    return ["reject", id];
  }),
  BUDGET_EXCEEDED: on(async (workspace) => [
    "approve",
    await withQuestion(workspace, "--budget-usd", "0"),
    "--choose",
    "B",
  ]),
  WORKER_NOT_REPORTED: on(async (workspace) => {
    await withFixer(workspace);
    return ["accept", "fixer"];
  }),
};
