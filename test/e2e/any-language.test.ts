import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { outputOf } from "../../packages/claw/src/process/testing/output-of.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { readLog, startDaemon } from "./daemon-process.ts";
import { clawJson } from "./run-claw.ts";
import { createWorkspace } from "./workspace.ts";

const docs = readFileSync(new URL("../../docs/workers.md", import.meta.url), "utf8");
const program = /```python\n([\s\S]*?)```/.exec(docs)?.[1] ?? "";

test("the worker of the documentation works as it stands there", async () => {
  const workspace = createWorkspace();
  await startDaemon(workspace);
  const path = join(workspace.cwd, "counter.py");
  writeFileSync(path, program);
  const worker = spawn("python3", [path, workspace.cwd], { stdio: ["ignore", "ignore", "pipe"] });
  onTestFinished(() => void worker.kill());
  const ended = outputOf(worker);
  await until("the question to be open", () =>
    readLog(workspace).some(({ topic }) => topic === "system.approval.opened"),
  );
  const answered = await clawJson(workspace, ["approve", "counter", "--choose", "yes"]);
  expect(answered.error).toBeUndefined();
  expect(await ended).toMatchObject({ exitCode: 0, stderr: "" });
  const { workers } = await clawJson(workspace, ["ps", "--all"]);
  expect(workers).toMatchObject([{ name: "counter", state: "finished", phase: "REFLECT", completion: "reported" }]);
  const { events } = await clawJson(workspace, ["events", "--topic", "worker.*.complete"]);
  expect(JSON.stringify(events)).toContain("counted: approve yes");
});
