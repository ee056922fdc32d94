import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { WireClient } from "./daemon-process.ts";
import { clawsFile, connectWire, killHard, startDaemon } from "./daemon-process.ts";
import { clawJson } from "./run-claw.ts";
import { endHostAfterTest } from "./terminal-wire.ts";
import { openScene } from "./worker-scene.ts";
import type { TerminalSession } from "./terminal-session.ts";
import { openTerminal } from "./terminal-session.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const BOOT = { model: "m", role: "worker", mission_summary: "paint", cwd: "/", terminal_id: "" };
const PHASE = { phase: "PLAN", prev: null, transition_reason: "begin", phases_completed: [] };
const question = (message: string) => ({ kind: "REQUEST", severity: "info", message, request_id: "r1" });

interface Scene {
  readonly workspace: Workspace;
  readonly pid: number;
  readonly worker: WireClient;
  readonly say: (action: string, payload: object) => Promise<unknown>;
}

/** A daemon with a worker that has begun. */
async function begin(peerName = "painter"): Promise<Scene> {
  const workspace = createWorkspace();
  const { socket, pid } = await startDaemon(workspace);
  const worker = await connectWire(socket);
  const id = await worker.hello("worker", { peerName });
  const say: Scene["say"] = (action, payload) => worker.publish(`worker.${id}.${action}`, payload);
  await say("boot", BOOT);
  await say("phase", PHASE);
  return { workspace, pid, worker, say };
}

const openTop = ({ workspace }: Scene, extra: NodeJS.ProcessEnv = {}): TerminalSession =>
  openTerminal(workspace, ["top"], extra);

/** The terminal after `claw top`: what was there before, the cursor, and keys that are echoed again. */
async function restored(session: TerminalSession): Promise<string> {
  const screen = await session.shows(/isig[^]*echo/);
  expect(screen).toMatch(/[^-]icanon[^]*[^-]echo\b/);
  expect(screen).not.toContain("a approve");
  expect(session.mode("alternate_on")).toBe("0");
  expect(session.mode("cursor_flag")).toBe("1");
  expect(session.mode("wrap_flag")).toBe("1");
  return screen;
}

test("lists what needs a person first, shows what is asked, and approves by key", async () => {
  const scene = await begin();
  await scene.say("event", question("Which colour?"));
  const session = openTop(scene);
  const screen = await session.shows(/1 need you/);
  expect(screen).toMatch(
    /^Needs you\n> painter +asks +\d+ min left +Which colour\?\n\nWorkers\n {2}painter +needs_input/m,
  );
  expect(screen.split("\n").every((line) => line.length <= 80)).toBe(true);
  session.press("Enter");
  await session.shows(/^painter asks: reject by itself in \d+ min *\n[^]*hash/m);
  session.press("a");
  await session.shows(/Approve what painter asks: Which colour\?\? \[y\/N\]/);
  session.press("n");
  await session.shows(/nothing was done/);
  session.press("a");
  await session.shows(/\[y\/N\]/);
  session.press("y");
  // The steps of the answer on its way to the worker take the place of the first message.
  await session.shows(/approved: Which colour\?|painter: approve: \w+/);
  session.press("q");
  await session.shows(/nothing needs you/);
  session.press("q");
  expect(await restored(session)).toMatch(/^1 worker, 0 things wait for you\.\nended with 0/m);
  expect(await clawJson(scene.workspace, ["approvals", "--all"])).toMatchObject({
    approvals: [{ status: "answered", decision: "approve" }],
  });
});

test("asks before it aborts, and pauses at once", async () => {
  const scene = await begin();
  const session = openTop(scene);
  await session.shows(/> painter/);
  session.press("x");
  await session.shows(/Abort painter\? Its agent is ended\. \[y\/N\]/);
  session.press("Enter");
  await session.shows(/nothing was done/);
  session.press("t");
  await session.shows(/painter works without a terminal; l shows its log/);
  session.press("p");
  await session.shows(/painter: pause: \w+|pause of painter: stored/);
  session.press("x");
  await session.shows(/\[y\/N\]/);
  session.press("y");
  const aborted = session.shows(/painter: abort: \w+|abort of painter: stored/);
  expect(await aborted).toContain("painter");
});

test("pasted text presses no keys", async () => {
  const scene = await begin();
  const session = openTop(scene);
  await session.shows(/> painter/);
  session.paste("xyq");
  session.press("?");
  expect(await session.shows(/Keys of claw top/)).not.toMatch(/ended with/);
  session.press("q");
  await session.shows(/> painter/);
  expect(scene.worker.messages().filter(({ topic }) => String(topic).startsWith("cmd."))).toEqual([]);
});

test("fits a terminal of 200 by 60, and follows a change of its size", async () => {
  const scene = await begin("a-painter-with-a-name-of-many-letters");
  const session = openTop(scene);
  await session.shows(/> a-painter-with-a-… +working/);
  session.resize(200, 60);
  const wide = await session.shows(/> a-painter-with-a-name-of-many-letters +working +PLAN/);
  expect(wide.split("\n")).toHaveLength(60);
  session.resize(40, 10);
  await session.shows(/> a-painter[^\n]*\n[^]*a approve {2}r reject/);
});

test("keeps to the worker that was chosen when what it needed is settled elsewhere", async () => {
  const scene = await begin("first");
  const other = await connectWire(clawsFile(scene.workspace, "claws.sock"));
  const id = await other.hello("worker", { peerName: "second" });
  await other.publish(`worker.${id}.boot`, BOOT);
  await other.publish(`worker.${id}.phase`, PHASE);
  await scene.say("event", question("Which colour?"));
  await other.publish(`worker.${id}.event`, question("Which size?"));
  const session = openTop(scene);
  await session.shows(/2 need you/);
  session.press("j");
  await session.shows(/> second +asks/);
  const { approvals } = await clawJson(scene.workspace, ["approvals"]);
  const asked = (approvals as { approval_id: string; worker: string }[]).find(({ worker }) => worker === "second");
  await clawJson(scene.workspace, ["approve", asked?.approval_id ?? ""]);
  expect(await session.shows(/1 need you/)).toMatch(/^> second/m);
});

test("takes the terminal of a worker, and leaves the screen as it was", async () => {
  const { workspace, spawn } = await openScene();
  endHostAfterTest(workspace);
  await spawn({ steps: [{ type: "text", text: "I am here." }] }, "--interactive", "--name", "talker");
  const session = openTerminal(workspace, ["top"], {}, { jobs: true });
  await session.shows(/> talker/);
  session.press("t");
  await session.shows(/I am here\./);
  session.press("C-\\");
  await session.shows(/left the terminal of talker; it goes on/);
  session.press("q");
  const screen = await session.shows(/^1 worker, \d things? waits? for you/m);
  expect(screen).not.toContain("I am here.");
  expect(screen.split("\n")[0]).toContain("exec");
  expect(session.mode("alternate_on")).toBe("0");
});

describe("whatever agents say", () => {
  const HOSTILE =
    "evil\u001b]52;c;aGFja2Vk\u0007\u001b[2J\u001b[5A\u001bP1;1|17/ab\u001b\\\u202egnp.exe\u009b31m\r\n\ttail";

  /** What claw itself may write: rows, styles, modes of the screen. */
  const OWN = /\u001b(?:\[\d+;1H|\[[KJ]|\[2J|\[[\d;]*m|\[\?(?:1049|25|7|2004)[hl])/g;

  test.each([
    [{}, true],
    [{ NO_COLOR: "1" }, false],
  ])("nothing but rows and styles reaches the terminal: %j", async (extra, isColoured) => {
    const scene = await begin(HOSTILE);
    await scene.say("event", question(`${HOSTILE} 名前 👩‍👩‍👧 ${"wide 幅 ".repeat(60)}`));
    const session = openTop(scene, extra);
    const log = session.record();
    await session.shows(/1 need you/);
    session.press("Enter");
    await session.shows(/hash/);
    session.press("q");
    await session.shows(/Needs you/);
    session.press("q");
    expect(await restored(session)).toMatch(/ended with 0/);
    const written = readFileSync(log, "utf8");
    const [inside = ""] =
      /\u001b\[H\u001b\[2J[^]*?\u001b\[\?1049l|\u001b\[1;1H[^]*?\u001b\[\?1049l/.exec(written) ?? [];
    expect(inside.replaceAll(OWN, "")).not.toMatch(
      /[\u0000-\u0009\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e]/,
    );
    expect(/\u001b\[(?!0m)\d+m/.test(inside)).toBe(isColoured);
  });
});

describe("leaves the terminal as it was", () => {
  test.each([
    ["Ctrl-C", (session: TerminalSession) => session.press("C-c"), /ended with 0/],
    ["SIGTERM", (session: TerminalSession) => void process.kill(session.pid(), "SIGTERM"), /ended with 143/],
    ["SIGINT", (session: TerminalSession) => void process.kill(session.pid(), "SIGINT"), /ended with 130/],
  ])("after %s", async (_how, end, ending) => {
    const scene = await begin();
    const session = openTop(scene);
    await session.shows(/> painter/);
    end(session);
    expect(await restored(session)).toMatch(ending);
  });

  test.each(["C-z", "SIGTSTP"])("when it is stopped by %s, and takes it again when it goes on", async (how) => {
    const scene = await begin();
    const session = openTerminal(scene.workspace, ["top"], {}, { jobs: true });
    await session.shows(/> painter/);
    if (how === "C-z") session.press(how);
    else process.kill(session.pid(), "SIGTSTP");
    expect(await session.shows(/Stopped/)).not.toContain("a approve");
    expect([session.mode("alternate_on"), session.mode("cursor_flag")]).toEqual(["0", "1"]);
    session.type("fg");
    session.press("Enter");
    await session.shows(/> painter/);
    session.press("q");
    await session.shows(/1 worker, 0 things wait/);
    expect(session.mode("alternate_on")).toBe("0");
  });
});

test("says that the daemon is away, and goes on when another daemon runs", async () => {
  const scene = await begin();
  const session = openTop(scene);
  await session.shows(/> painter/);
  await killHard(scene.pid);
  await session.shows(/The daemon is away for \d+s; what is shown is from before/);
  await startDaemon(scene.workspace);
  await session.shows(/^claw top {2}/m);
  session.press("q");
  expect(await restored(session)).toMatch(/ended with 0/);
});
