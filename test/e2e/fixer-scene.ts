import { expect } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame, WireClient } from "./daemon-process.ts";
import { connectWire, readLog, startDaemon } from "./daemon-process.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";

/** A worker in a folder whose daemon runs. */
export interface WorkerScene {
  readonly worker: WireClient;
  readonly id: string;
}

const boot = (cwd: string): Frame => ({
  model: "none",
  role: "worker",
  mission_summary: "fix it",
  cwd,
  terminal_id: "",
});

export async function withFixer(workspace: Workspace, ...flags: string[]): Promise<WorkerScene> {
  const { socket } = await startDaemon(workspace, ...flags);
  const worker = await connectWire(socket);
  const id = await worker.hello("worker", { peerName: "fixer" });
  expect(await worker.publish(`worker.${id}.boot`, boot(workspace.cwd))).toMatchObject({ ok: true });
  return { worker, id };
}

/** Long enough that what is left of it is told in the same words all through a test. */
const PATIENCE_MS = 5.5 * 60 * 60 * 1000;

/** What the worker asks for, unless told otherwise. */
const QUESTION = {
  kind: "REQUEST",
  severity: "warn",
  message: "push to which remote?",
  request_id: "r1",
  options: [{ id: "A", label: "origin" }, { id: "B" }],
  data: { tool: "Bash", command: "git push", cwd: "/work", timeout_ms: PATIENCE_MS },
};

/** Asks, and gives the id of the approval. */
export async function askIn(workspace: Workspace, { worker, id }: WorkerScene, more: Frame = {}): Promise<string> {
  const count = (): Frame[] => readLog(workspace).filter(({ topic }) => topic === "system.approval.opened");
  const before = count().length;
  expect(await worker.publish(`worker.${id}.event`, { ...QUESTION, ...more })).toMatchObject({ ok: true });
  const opened = await until("the approval to open", () => (count().length > before ? count().at(-1) : undefined));
  return String((opened["payload"] as Frame)["approvalId"]);
}

export async function withQuestion(workspace: Workspace, ...flags: string[]): Promise<string> {
  return askIn(workspace, await withFixer(workspace, ...flags));
}

/** The worker reports; resolves when that was looked at. */
export async function withReport(workspace: Workspace, more: Frame = {}): Promise<void> {
  const { worker, id } = await withFixer(workspace);
  const report = { result: "ok", summary: "fixed it", artifacts: [], phases_completed: [], tool_calls: 3, ...more };
  expect(await worker.publish(`worker.${id}.complete`, report)).toMatchObject({ ok: true });
  await until("the report to be looked at", () =>
    readLog(workspace).some(({ topic }) => topic === "system.worker.completed"),
  );
}

/** An approval that was answered. */
export async function withAnswer(workspace: Workspace): Promise<string> {
  const id = await withQuestion(workspace);
  await clawJson(workspace, ["reject", id]);
  return id;
}
