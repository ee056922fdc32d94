import type { Answer, Worker } from "claw-client";
import { connectWorker } from "claw-client";
import { unixChannel } from "claw-client/node";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame } from "./daemon-process.ts";
import { killHard, readLog, startDaemon } from "./daemon-process.ts";
import { clawJson, runClaw } from "./run-claw.ts";
import { seedFile } from "./seed.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

interface Scene {
  readonly workspace: Workspace;
  readonly worker: Worker;
  readonly pid: number;
}

/** A daemon and a worker of somebody else's making. */
async function begin(...flags: string[]): Promise<Scene> {
  const workspace = createWorkspace();
  return { workspace, ...(await beginIn(workspace, ...flags)) };
}

async function beginIn(workspace: Workspace, ...flags: string[]): Promise<Omit<Scene, "workspace">> {
  const { socket, pid } = await startDaemon(workspace, ...flags);
  const worker = connectWorker({ channel: unixChannel(socket), name: "fixer" });
  onTestFinished(() => worker.close());
  await worker.boot({ model: "none", mission_summary: "fix it", cwd: workspace.cwd });
  return { worker, pid };
}

type Entry = Frame & { readonly approval_id: string };

async function open(workspace: Workspace, count = 1): Promise<Entry[]> {
  for (const deadline = Date.now() + 110_000; Date.now() < deadline;) {
    const body = await clawJson(workspace, ["approvals"]);
    if (body["approvals_count"] === count) return body["approvals"] as Entry[];
  }
  throw new Error(`${count} approvals did not open`);
}

const ofLog = (workspace: Workspace, topic: string): Frame[] =>
  readLog(workspace).filter((event) => String(event["topic"]).startsWith(topic));

const push = (worker: Worker): Promise<Answer> =>
  worker.ask({ message: "push?", request_type: "permission", data: { tool: "Bash", command: "git push", cwd: "/w" } });

test("a worker's question is seen, approved from the command line, and answered", async () => {
  const { workspace, worker } = await begin();
  const asking = worker.ask({
    message: "which way?",
    options: [{ id: "A" }, { id: "B", label: "the other" }],
    data: { diff: "-old\n+new" },
  });
  const [entry] = await open(workspace);
  const { stdout } = await runClaw(workspace, ["approvals"]);
  expect(stdout).toContain("-old");
  expect(stdout).toContain("options  A, B (the other)");
  expect(stdout.split("\n").filter((line) => line.length > 80)).toEqual([]);
  expect(await clawJson(workspace, ["approve"])).toMatchObject({ error: { code: "MISSING_ARGUMENT" } });
  expect(await clawJson(workspace, ["approve", "fixer"])).toMatchObject({ error: { code: "INVALID_FLAG_VALUE" } });
  const prefix = entry?.approval_id.slice(0, 8) ?? "";
  const planned = await clawJson(workspace, ["approve", prefix, "--choose", "B", "--dry-run"]);
  expect(planned).toMatchObject({ effect: "would_update" });
  const body = await clawJson(workspace, ["approve", prefix, "--choose", "B", "--reason", "shorter"]);
  expect(body).toMatchObject({
    effect: "updated",
    approval: { chosen: "B", reason: "shorter", hash: entry?.["hash"] },
  });
  expect(await asking).toMatchObject({ approved: true, payload: { chosen: "B", reason: "shorter" } });
  const again = await clawJson(workspace, ["reject", prefix]);
  expect(again).toMatchObject({ error: { code: "APPROVAL_ANSWERED" } });
});

test("of two people who answer at once one is told that the other was first", async () => {
  const { workspace, worker } = await begin();
  const asking = push(worker);
  await open(workspace);
  const bodies = await Promise.all([
    clawJson(workspace, ["approve", "fixer"]),
    clawJson(workspace, ["reject", "fixer"]),
  ]);
  const winners = bodies.filter(({ error }) => error === undefined);
  expect(winners).toHaveLength(1);
  const codes = bodies.flatMap(({ error }) => error?.code ?? []);
  // Whoever came after the other had won found nothing open under the worker's name.
  expect(["APPROVAL_ANSWERED", "APPROVAL_NOT_FOUND"]).toContain(codes[0]);
  expect((await asking).approved).toBe(winners[0]?.["decision"] === "approve");
  expect(ofLog(workspace, "system.approval.answered")).toHaveLength(1);
  expect(ofLog(workspace, "cmd.")).toHaveLength(1);
});

test("nobody answering is a no", async () => {
  const { workspace, worker } = await begin();
  const answer = await worker.ask({ message: "now?", data: { timeout_ms: 1000 } });
  expect(answer).toMatchObject({ approved: false, reason: "no answer came in time" });
  const { approvals } = (await clawJson(workspace, ["approvals", "--all"])) as unknown as { approvals: Entry[] };
  expect(approvals).toMatchObject([{ status: "expired", reason: "deadline" }]);
  const late = await clawJson(workspace, ["approve", approvals[0]?.approval_id ?? ""]);
  expect(late).toMatchObject({ error: { code: "APPROVAL_EXPIRED" } });
});

test("an answer to what is not asked any more is refused", async () => {
  const { workspace, worker } = await begin();
  await worker.event("REQUEST", "run?", { request_id: "r1", data: { command: "ls" } });
  const [old] = await open(workspace);
  await worker.event("REQUEST", "run?", { request_id: "r1", data: { command: "rm -rf /" } });
  const refused = await clawJson(workspace, ["approve", old?.approval_id ?? ""]);
  expect(refused).toMatchObject({ error: { code: "APPROVAL_CHANGED" } });
  expect(await open(workspace)).toMatchObject([{ subject: { command: "rm -rf /" } }]);
});

test("a question outlives a daemon that was killed between it and its answer", async () => {
  const { workspace, worker, pid } = await begin();
  const asking = push(worker);
  const [entry] = await open(workspace);
  await killHard(pid);
  await startDaemon(workspace);
  expect(await open(workspace)).toEqual([entry]);
  expect(await clawJson(workspace, ["approve", entry?.approval_id ?? ""])).toMatchObject({ effect: "updated" });
  expect(await asking).toMatchObject({ approved: true });
  expect(ofLog(workspace, "system.approval.")).toHaveLength(2);
});

test("rules of the user answer and are named; those that came with the folder do not", async () => {
  const rules = (id: string, command: string): string =>
    JSON.stringify({ approvals: { rules: [{ id, decision: "approve", worker: "fix*", command }] } });
  const workspace = createWorkspace();
  mkdirSync(join(workspace.home, ".claw"), { recursive: true });
  writeFileSync(join(workspace.home, ".claw", "settings.json"), rules("mine", "git push"));
  seedFile(workspace, ".claw/settings.json", rules("theirs", "rm *"));
  const { worker } = await beginIn(workspace);
  expect(await push(worker)).toMatchObject({ approved: true });
  expect(ofLog(workspace, "system.approval.answered")).toMatchObject([{ payload: { by: "server", rule: "mine" } }]);
  const asking = worker.ask({ message: "remove?", data: { command: "rm x" } });
  await open(workspace);
  await clawJson(workspace, ["reject", "fixer", "--reason", "keep it"]);
  expect(await asking).toMatchObject({ approved: false, reason: "keep it" });
});

test("what a worker reports is hashed, doubted where it shows nothing, and accepted", async () => {
  const { workspace, worker } = await begin();
  seedFile(workspace, "report.md", "done");
  expect(await clawJson(workspace, ["accept", "fixer"])).toMatchObject({ error: { code: "WORKER_NOT_REPORTED" } });
  await worker.complete({ summary: "all done", artifacts: [{ path: "report.md" }, { path: "gone.md" }] });
  const [completed] = await until("the report to be looked at", () => {
    const found = ofLog(workspace, "system.worker.completed");
    return found.length > 0 && found;
  });
  expect(completed?.["payload"]).toMatchObject({
    doubts: ["missing_artifact"],
    artifacts: [{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }, { sha256: null, problem: "missing" }],
  });
  expect(await clawJson(workspace, ["accept", "fixer"])).toMatchObject({ error: { code: "CONFIRMATION_REQUIRED" } });
  const looked = await clawJson(workspace, ["accept", "fixer", "--dry-run"]);
  expect(looked).toMatchObject({ effect: "would_update", objections: ["missing_artifact"] });
  expect(await clawJson(workspace, ["accept", "fixer", "--yes"])).toMatchObject({ effect: "updated" });
  expect(await clawJson(workspace, ["accept", "fixer"])).toMatchObject({ effect: "noop" });
  const back = await clawJson(workspace, ["rework", "fixer", "again"]);
  expect(back).toMatchObject({ error: { code: "WORKER_ENDED" } });
  expect(await clawJson(workspace, ["accept", "nobody"])).toMatchObject({ error: { code: "WORKER_NOT_FOUND" } });
});
