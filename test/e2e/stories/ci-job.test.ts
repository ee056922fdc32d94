import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { seedFile } from "../seed.ts";
import { openShell } from "../shell-session.ts";
import { createWorkspace } from "../workspace.ts";

/** A job as a repository has it: it runs an agent, keeps its answer and its events, and passes its exit on. */
const JOB = `#!/bin/sh
set -u
claw run --harness fake --scenario "$1" --timeout-seconds 120 --transcript "$1.events.jsonl" \\
  --permission-mode "\${2:-workspace-write}" --output-format json --envelope response "tidy up" > "$1.report.json"
status=$?
echo "the agent ended with $status, see $1.report.json"
exit $status
`;

const EMPTY = JSON.stringify({ steps: [{ type: "exit", code: 0 }] });

test("a CI job runs an agent, fails honestly and leaves a report", async () => {
  const workspace = createWorkspace();
  seedFile(workspace, "job.sh", JOB);
  seedFile(workspace, "silent.json", EMPTY);
  const shell = openShell(workspace);
  const report = (name: string) =>
    JSON.parse(readFileSync(join(workspace.cwd, `${name}.report.json`), "utf8")) as unknown;
  const events = (name: string) =>
    readFileSync(join(workspace.cwd, `${name}.events.jsonl`), "utf8")
      .trim()
      .split("\n");

  expect(await shell.run("sh job.sh tools")).toEqual({
    output: "the agent ended with 0, see tools.report.json",
    exitCode: 0,
  });
  expect(report("tools")).toMatchObject({ ok: true, data: { result: { succeeded_cleanly: true } }, error: null });
  expect(events("tools").length).toBeGreaterThan(3);

  expect((await shell.run("sh job.sh rate-limit")).exitCode).toBe(11);
  expect(report("rate-limit")).toMatchObject({
    ok: false,
    error: { code: "RATE_LIMIT_EXCEEDED", error_category: "rate_limit", retryable: true },
  });

  expect((await shell.run("sh job.sh permission read-only")).exitCode).toBe(0);
  expect(report("permission")).toMatchObject({
    ok: true,
    data: { result: { succeeded_cleanly: false, permission_denials: [{}] } },
    warnings: [expect.stringContaining("permission-denied: 1 call was refused: Bash")],
  });

  expect((await shell.run("sh job.sh silent.json")).exitCode).toBe(1);
  expect(report("silent.json")).toMatchObject({ ok: false, error: { code: "HARNESS_FAILED" } });
  expect(shell.brokenWords()).toEqual([]);
});
