import { describe, expect, test } from "vitest";
import type { Daemon, WireClient } from "./daemon-process.ts";
import { beginClaw, connectWire, killHard, startDaemon } from "./daemon-process.ts";
import { refused } from "./provocations.ts";
import { clawJson, runClaw } from "./run-claw.ts";
import { openTerminal } from "./terminal-session.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const PHASE = { phase: "PLAN", prev: null, transition_reason: "begin", phases_completed: [] };
const QUESTION = { kind: "REQUEST", severity: "info", message: "Which colour?", request_id: "r1" };
const COMPLETE = { result: "ok", summary: "painted", artifacts: [], phases_completed: ["PLAN"] };

interface Scene {
  readonly workspace: Workspace;
  readonly daemon: Daemon;
  readonly worker: WireClient;
  readonly say: (action: string, payload: object) => Promise<unknown>;
}

/** A worker that came by itself and has begun. */
async function begin(): Promise<Scene> {
  const workspace = createWorkspace();
  const daemon = await startDaemon(workspace);
  const worker = await connectWire(daemon.socket);
  const id = await worker.hello("worker", { peerName: "painter" });
  const say: Scene["say"] = (action, payload) => worker.publish(`worker.${id}.${action}`, payload);
  await say("phase", PHASE);
  return { workspace, daemon, worker, say };
}

test("says what a worker does, as text in 80 columns and as data", async () => {
  const { workspace, say } = await begin();
  expect((await runClaw(workspace, ["ps"])).stdout).toMatch(
    /^ {2}NAME {5}STATE {4}PHASE {2}FOR {2}COST {2}DOING\n {2}painter {2}working {2}PLAN {3}\d+s {3} {6}it is in PLAN\n\n1 worker: 1 working\n$/,
  );
  await say("event", QUESTION);
  const { stdout } = await runClaw(workspace, ["ps"]);
  expect(stdout).toContain("! painter  needs_input  PLAN");
  expect(stdout).toContain("Which colour?\n\n1 worker: 1 waiting for input\n1 waits for you: ");
  const body = await clawJson(workspace, ["ps", "--state", "needs_input"]);
  expect(body).toMatchObject({ workers_count: 1, waiting_count: 1, workers: [{ name: "painter", source: "self" }] });
  expect(await clawJson(workspace, ["ps", "--state", "working"])).toMatchObject({ workers_count: 0 });
  expect(await clawJson(workspace, ["ps", "--fleet", "night"])).toMatchObject({ workers_count: 0 });
});

describe("--at", () => {
  test("shows a moment as it was then, also after a daemon that was killed", async () => {
    const { workspace, daemon, say } = await begin();
    await say("event", QUESTION);
    const asked = await clawJson(workspace, ["ps"]);
    const { at } = await clawJson(workspace, ["ps", "--at", "0s"]);
    const { cursor } = at as { cursor: string };
    await say("complete", COMPLETE);
    await killHard(daemon.pid);
    await startDaemon(workspace);
    const then = await clawJson(workspace, ["ps", "--at", cursor]);
    expect({ ...then, at: undefined, timestamp: undefined }).toEqual({ ...asked, at: undefined, timestamp: undefined });
    expect((await clawJson(workspace, ["ps"]))["workers"]).toMatchObject([{ state: "finished" }]);
    expect((await runClaw(workspace, ["ps", "--at", cursor])).stdout).toMatch(
      /^At .*, after event 0001:\d+:\n[^]*Which/,
    );
  });

  test.each([
    [["--at", "yesterday"], "INVALID_CURSOR", "--at"],
    [["--at", "0001:999999"], "INVALID_CURSOR", "moment.show"],
    [["--at", "2999-01-01"], "INVALID_CURSOR", "moment.show"],
    [["--at", "0009:1"], "MOMENT_GONE", "moment.show"],
    [["--at", "1h", "--watch"], "INVALID_FLAG_VALUE", "--at"],
  ])("%j is refused", async (args, code, target) => {
    const { workspace } = await begin();
    expect(await refused(workspace, ["ps", ...args])).toMatchObject({ code, target });
  });
});

describe("--watch", () => {
  test("tells a program of everybody, then of every change once", async () => {
    const { workspace, say } = await begin();
    const call = beginClaw(workspace, ["ps", "--watch", "--output-format", "stream-json"]);
    await call.line("the worker", (line) => line.includes('"type":"worker"'));
    await say("event", QUESTION);
    await call.line("the question", (line) => line.includes("needs_input"));
    await say("complete", COMPLETE);
    await call.line("the end", (line) => line.includes("finished"));
    process.kill(call.pid, "SIGINT");
    await call.ended;
    const items = call.lines.slice(0, -1).map((line) => JSON.parse(line) as Record<string, unknown>);
    const told = items.filter(({ type, previous }) => type === "state" && previous !== null && previous !== "starting");
    expect(items[0]).toMatchObject({ type: "worker", name: "painter" });
    expect(told.map(({ name, previous, state, reason }) => [name, previous, state, reason])).toEqual([
      ["painter", "working", "needs_input", "Which colour?"],
      ["painter", "needs_input", "finished", "painted"],
    ]);
  });

  test("redraws in place on a terminal, and leaves the last picture there", async () => {
    const { workspace, say } = await begin();
    const terminal = openTerminal(workspace, ["ps", "--watch"]);
    await terminal.shows(/painter {2}working/);
    await say("event", QUESTION);
    expect(await terminal.shows(/needs_input/)).not.toMatch(/painter {2}working/);
    await say("complete", COMPLETE);
    await terminal.shows(/reported: painted/);
    terminal.press("C-c");
    const left = await terminal.shows(/ended with 0\n[\s\S]*-tostop/);
    expect(left).not.toMatch(/painter {2}(?:working|needs_input)/);
    expect(left).toMatch(/painter {2}finished[\s\S]*1 worker: 1 finished\nended with 0/);
    expect(left).toMatch(/ icanon[\s\S]* echo /);
  });

  test("ends with the daemon, and says so", async () => {
    const { workspace } = await begin();
    const terminal = openTerminal(workspace, ["ps", "--watch"]);
    await terminal.shows(/painter {2}working/);
    await runClaw(workspace, ["down"]);
    expect(await terminal.shows(/ended with \d+\n[\s\S]*-tostop/)).toMatch(/error\[bus_unreachable\]/);
  });

  test("cannot be one object", async () => {
    const { workspace } = await begin();
    expect(await refused(workspace, ["ps", "--watch"])).toMatchObject({ code: "INVALID_FLAG_VALUE" });
  });
});
