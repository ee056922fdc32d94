import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Frame } from "./daemon-process.ts";
import { clawJson } from "./run-claw.ts";
import { createWorkspace } from "./workspace.ts";

const of = (events: readonly Frame[], topic: string): Frame[] =>
  events.filter((event) => event["topic"] === topic).map((event) => event["payload"] as Frame);

test("a demonstration that is kept has everything in its log, with receipts", async () => {
  const workspace = createWorkspace();
  const temporary = join(workspace.home, "tmp");
  mkdirSync(temporary);
  const options = { env: { TMPDIR: temporary } };
  const kept = await clawJson(workspace, ["demo", "--headless", "--once", "--keep"], options);
  const folder = String(kept["folder"]);
  onTestFinished(async () => {
    await clawJson(workspace, ["down", "--cwd", folder]);
  });
  expect(kept.error).toBeUndefined();
  expect(kept).toMatchObject({ exit_code: 0, next_steps: [{}, {}, {}] });
  const four = kept["workers"] as Frame[];
  expect(Object.fromEntries(four.map(({ name, completion }) => [name, completion]))).toEqual({
    cleanup: "verified",
    guide: "verified",
    rounding: "verified",
    timing: "verified",
  });

  const body = await clawJson(workspace, ["events", "--since", "0000:0", "--limit", "5000", "--cwd", folder]);
  const events = body["events"] as Frame[];
  const [asked] = of(events, "system.approval.opened");
  expect(asked).toMatchObject({ subject: { command: "rm -rf build" } });
  expect(of(events, "system.approval.answered")).toMatchObject([
    { approvalId: asked?.["approvalId"], decision: "approve" },
  ]);
  const obeyed = of(events, "system.command.applied").filter(({ cmdTopic }) => String(cmdTopic).endsWith(".approve"));
  expect(obeyed).toMatchObject([{ targetPeerId: asked?.["peerId"], evidence: { kind: "sequence" } }]);
  const states = of(events, "system.worker.state").map(({ state, until }) => [state, typeof until]);
  expect(states).toContainEqual(["rate_limited", "string"]);
  expect(of(events, "system.worker.terminated").filter(({ expected }) => expected === false)).toHaveLength(1);
  expect(of(events, "system.worker.spawned").filter(({ attempt }) => attempt === 2)).toHaveLength(1);
  expect(of(events, "system.worker.verified").map(({ passed }) => passed)).toEqual([true, true, true, true]);
  expect(readdirSync(temporary).filter((name) => name.startsWith("claw-demo-"))).toHaveLength(1);
});
