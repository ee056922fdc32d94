import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { jsonLines } from "../../packages/claw/src/process/testing/json-lines.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import {
  beginClaw,
  clawsFile,
  connectWire,
  isAlive,
  killHard,
  readLog,
  startDaemon,
  stopAfterTest,
} from "./daemon-process.ts";
import { admitStrangers, IS_ROOT, NOBODY, refused, runShell } from "./provocations.ts";
import { clawJson, runClaw } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace, secretFile } from "./workspace.ts";

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** What a daemon has only while it runs. */
const leftovers = (workspace: Workspace): string[] =>
  ["claws.sock", "daemon.json", "daemon.lock"].filter((name) => existsSync(clawsFile(workspace, name)));

/** Somebody else's server at the socket's path. */
async function occupySocket(workspace: Workspace): Promise<string> {
  await runClaw(workspace, ["up"]);
  await runClaw(workspace, ["down"]);
  const path = clawsFile(workspace, "claws.sock");
  const server = createServer((socket) => socket.end());
  await new Promise<void>((resolve) => {
    server.listen(path, resolve);
  });
  onTestFinished(() => void server.close());
  return path;
}

describe("a folder has one daemon", () => {
  test("to start it again is a success, unless it is to run otherwise or in the foreground", async () => {
    const workspace = createWorkspace();
    const { pid, socket } = await startDaemon(workspace, "--policy", "compat");
    for (const flags of [[], ["--policy", "compat"], ["--dry-run"]]) {
      expect(await clawJson(workspace, ["up", ...flags])).toMatchObject({ effect: "noop", pid, socket, running: true });
    }
    for (const flags of [["--policy", "strict"], ["--foreground"], ["--tee", "--dry-run"]]) {
      expect(await refused(workspace, ["up", ...flags])).toMatchObject({ code: "DAEMON_RUNNING", pid, socket });
    }
    const { message } = await refused(workspace, ["up", "--policy", "strict"]);
    expect(message).toContain("--policy strict (it has compat)");
    expect(isAlive(pid)).toBe(true);
    expect(await clawJson(workspace, ["peers"])).toMatchObject({ peers_count: 0 });
  });

  test("of several started at once exactly one wins, and the others answer with it", async () => {
    const workspace = createWorkspace();
    stopAfterTest(workspace);
    const bodies = await Promise.all(Array.from({ length: 4 }, () => clawJson(workspace, ["up"])));
    const effects = bodies.map(({ effect }) => String(effect));
    expect(effects.toSorted()).toEqual(["created", "noop", "noop", "noop"]);
    const winner = bodies.find(({ effect }) => effect === "created")?.["pid"];
    expect(bodies.map(({ pid }) => pid)).toEqual([winner, winner, winner, winner]);
    expect(await clawJson(workspace, ["status"])).toMatchObject({ daemon: { pid: winner } });
  });

  test("a killed one leaves its record, lock and socket, and the next takes their place", async () => {
    const workspace = createWorkspace();
    const first = await startDaemon(workspace);
    await killHard(first.pid);
    expect(leftovers(workspace)).toEqual(["claws.sock", "daemon.json", "daemon.lock"]);
    expect(await clawJson(workspace, ["status"])).toMatchObject({ daemon: null });
    expect(await refused(workspace, ["peers"])).toMatchObject({ code: "DAEMON_NOT_RUNNING" });
    expect(await clawJson(workspace, ["down"])).toMatchObject({ stopped: false, pid: null, effect: "noop" });
    const second = await startDaemon(workspace);
    expect(second.pid).not.toBe(first.pid);
    expect(await clawJson(workspace, ["peers"])).toMatchObject({ peers_count: 0 });
  });

  test("half a record is no daemon", async () => {
    const workspace = createWorkspace();
    const { pid } = await startDaemon(workspace);
    await killHard(pid);
    writeFileSync(clawsFile(workspace, "daemon.json"), '{"pid":');
    expect(await clawJson(workspace, ["status"])).toMatchObject({ daemon: null });
    await startDaemon(workspace);
  });

  test("a stranger's server at the socket is left alone, and nothing of the attempt stays", async () => {
    const workspace = createWorkspace();
    const path = await occupySocket(workspace);
    expect(await refused(workspace, ["up"])).toMatchObject({ code: "DAEMON_RUNNING", target: path });
    expect(leftovers(workspace)).toEqual(["claws.sock"]);
    await connectWire(path);
  });

  test("a file that is no socket is not removed for one", async () => {
    const workspace = createWorkspace();
    writeFileSync(`${workspace.cwd}/notes.md`, "mine");
    expect(await refused(workspace, ["up", "--socket", "notes.md"])).toMatchObject({ code: "DAEMON_FAILED" });
    expect(readFileSync(`${workspace.cwd}/notes.md`, "utf8")).toBe("mine");
    expect(leftovers(workspace)).toEqual([]);
  });
});

describe("up", () => {
  test("lets in nobody but its user: the folder is 0700, the socket and every file 0600", async () => {
    const workspace = createWorkspace();
    const { socket } = await startDaemon(workspace, "--http", "127.0.0.1:0", "--tee");
    await clawJson(workspace, ["publish", "note.x", "1"]);
    await until("the copy", () => existsSync(clawsFile(workspace, "events.jsonl")));
    const files = [
      ...["daemon.json", "daemon.log", "counters.json", "events.jsonl"].map((name) => clawsFile(workspace, name)),
      ...["orchestrator.token", "token.secret", "workspace.json"].map((name) => secretFile(workspace, name)),
    ];
    const folders = [clawsFile(workspace, "."), clawsFile(workspace, "log"), secretFile(workspace, ".")];
    expect(folders.map((path) => [path, modeOf(path)])).toEqual(folders.map((path) => [path, "700"]));
    expect([socket, ...files].map((path) => [path, modeOf(path)])).toEqual(
      [socket, ...files].map((path) => [path, "600"]),
    );
  });

  test("does not keep the caller's pipes open", async () => {
    const workspace = createWorkspace();
    stopAfterTest(workspace);
    const { stdout, exitCode } = await runShell(workspace, "claw up | cat; claw status --output-format json 2>&1");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("running, process ");
    const { daemon } = JSON.parse(stdout.trim().split("\n").at(-1) ?? "") as { daemon: { pid: number } };
    expect(isAlive(daemon.pid)).toBe(true);
  });

  test("needs no home, and takes the folder it is given", async () => {
    const workspace = createWorkspace();
    stopAfterTest(workspace);
    const env = { HOME: undefined, CLAW_CONFIG_HOME: undefined, XDG_STATE_HOME: join(workspace.home, "state") };
    const elsewhere = { cwd: workspace.home, home: workspace.home };
    const up = await clawJson(elsewhere, ["up", "--cwd", workspace.cwd], { env });
    expect(up).toMatchObject({
      running: true,
      socket: clawsFile(workspace, "claws.sock"),
      http: null,
      token_file: null,
    });
    expect(await clawJson(workspace, ["publish", "note.x", "1"], { env })).toMatchObject({ effect: "created" });
    expect(await clawJson(workspace, ["down"], { env })).toMatchObject({ stopped: true, pid: up["pid"] });
  });

  test("where its secrets cannot be kept says what to set, and lets nobody in", async () => {
    const workspace = createWorkspace();
    const error = await refused(workspace, ["up"], { env: { HOME: "/dev/null" } });
    expect(error).toMatchObject({ code: "FILESYSTEM_ERROR", hint: expect.stringContaining("XDG_STATE_HOME") });
    expect(leftovers(workspace)).toEqual([]);
  });

  test.skipIf(!IS_ROOT)("in a folder that cannot be written says so and makes nothing", async () => {
    const workspace = createWorkspace();
    admitStrangers(workspace);
    for (const flags of [[], ["--foreground"]]) {
      expect(await refused(workspace, ["up", ...flags], { uid: NOBODY })).toMatchObject({ code: "FILE_ACCESS_DENIED" });
    }
    expect(existsSync(clawsFile(workspace, "."))).toBe(false);
  });

  test.each([
    ["INVALID_FLAG_VALUE", ["--http", "nonsense"]],
    ["INVALID_FLAG_VALUE", ["--http", "127.0.0.1:70000"]],
    ["INVALID_FLAG_VALUE", ["--tls-cert", "cert.pem"]],
    ["DAEMON_FAILED", ["--socket", "x".repeat(150)]],
  ])("that cannot be fails with %s and leaves no record, lock or socket: %s", async (code, flags) => {
    const workspace = createWorkspace();
    const background = await refused(workspace, ["up", ...flags]);
    const foreground = await refused(workspace, ["up", "--foreground", ...flags]);
    expect([background.code, foreground.code]).toEqual([code, code]);
    expect(background.message).toBe(foreground.message);
    expect(leftovers(workspace)).toEqual([]);
  });

  test("on an address that is taken fails and leaves nothing that runs", async () => {
    const [taken, workspace] = [createWorkspace(), createWorkspace()];
    const { http } = await startDaemon(taken, "--http", "127.0.0.1:0");
    await refused(workspace, ["up", "--http", String(http).replace("http://", "")]);
    expect(leftovers(workspace)).toEqual([]);
  });

  test("is shown by status until it is down", async () => {
    const workspace = createWorkspace();
    const { pid, socket } = await startDaemon(workspace, "--durability", "relaxed", "--policy", "compat");
    expect(await clawJson(workspace, ["status"])).toMatchObject({
      daemon: { pid, socket, http: null, durability: "relaxed", policy: "compat" },
    });
    expect((await runClaw(workspace, ["status"])).stdout).toContain(`process ${pid}, compat policy`);
    await clawJson(workspace, ["down"]);
    expect(await clawJson(workspace, ["status"])).toMatchObject({ daemon: null });
  });
});

describe("the end of a daemon", () => {
  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "in the foreground by %s is exit 0 and leaves nothing",
    async (signal) => {
      const workspace = createWorkspace();
      const call = beginClaw(workspace, ["up", "--foreground", "--output-format", "stream-json"]);
      const listening = JSON.parse(await call.line("it to listen", () => true)) as Record<string, unknown>;
      expect(listening).toEqual({
        type: "listening",
        pid: call.pid,
        socket: clawsFile(workspace, "claws.sock"),
        http: null,
      });
      const client = await connectWire(String(listening["socket"]));
      await client.hello("orchestrator");
      expect(await client.publish("note.x", { n: 1 })).toMatchObject({ ok: true });
      process.kill(call.pid, signal);
      const { exitCode, stderr, stdout } = await call.ended;
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
      expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
        type: "result",
        subtype: "success",
        running: false,
      });
      expect(leftovers(workspace)).toEqual([]);
      expect(readLog(workspace).map(({ topic }) => topic)).toContain("note.x");
    },
  );

  test("in the foreground whose reader left is still in order", async () => {
    const workspace = createWorkspace();
    const { exitCode, stderr } = await runShell(workspace, "{ claw up --foreground; echo $? >code; } | true; cat code");
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
    expect(leftovers(workspace)).toEqual([]);
  });

  test("by down is graceful: what was acknowledged is there, peers are told apart from the next ones", async () => {
    const workspace = createWorkspace();
    const { pid } = await startDaemon(workspace);
    const first = await clawJson(workspace, ["publish", "note.x", '{"n":1}']);
    expect(await clawJson(workspace, ["down"])).toMatchObject({ stopped: true, pid, effect: "deleted" });
    expect([isAlive(pid), leftovers(workspace)]).toEqual([false, []]);
    await startDaemon(workspace);
    const { events } = await clawJson(workspace, ["events", "--topic", "note.*"]);
    expect(events).toMatchObject([
      { sequence: first["sequence"], cursor: first["cursor"], payload: { data: { n: 1 } } },
    ]);
  });

  test("by kill -9 loses nothing acknowledged, keeps every sequence, and no peer id comes twice", async () => {
    const workspace = createWorkspace();
    const acknowledged: [id: unknown, sequence: unknown][] = [];
    const peers: string[] = [];
    for (const life of ["a", "b", "c"]) {
      const { pid, socket } = await startDaemon(workspace);
      const client = await connectWire(socket);
      peers.push(await client.hello("orchestrator", { capabilities: ["receipts"] }));
      const publish = (id: string) => client.send({ id, cmd: "publish", topic: "note.x", payload: { id } });
      for (let n = 0; n < 50; n += 1) publish(`${life}${n}`);
      await until("the first receipts", () => client.frames().some(({ rid }) => rid === `${life}20`));
      for (let n = 50; n < 400; n += 1) publish(`${life}${n}`);
      await killHard(pid);
      const receipts = client.frames().filter(({ sequence }) => sequence !== undefined);
      acknowledged.push(...receipts.map(({ rid, sequence }) => [rid, sequence] as [unknown, unknown]));
    }
    expect(acknowledged.length).toBeGreaterThan(60);
    const { socket } = await startDaemon(workspace);
    const client = await connectWire(socket);
    peers.push(await client.hello("observer"));
    await client.ask({ cmd: "subscribe", topic: "note.*", fromCursor: "0000:0" });
    await until("the end of history", () => client.frames().some(({ push }) => push === "caught-up"));
    const stored = new Map(
      client.messages().map(({ payload, sequence }) => [(payload as { id: string }).id, sequence]),
    );
    expect(acknowledged.map(([id]) => [id, stored.get(String(id))])).toEqual(acknowledged);
    const sequences = client.messages().map(({ sequence }) => Number(sequence));
    expect(sequences).toEqual([...new Set(sequences)].sort((left, right) => left - right));
    expect(new Set(peers).size).toBe(4);
  });
});

test("--tee writes a copy that equals the log", async () => {
  const workspace = createWorkspace();
  await startDaemon(workspace, "--tee");
  for (const n of [1, 2, 3]) await clawJson(workspace, ["publish", "note.x", `{"n":${n},"text":"ä \\" \\n"}`]);
  await clawJson(workspace, ["down"]);
  const copy = readFileSync(clawsFile(workspace, "events.jsonl"), "utf8");
  expect(jsonLines(copy)).toEqual(readLog(workspace));
  expect(copy.length).toBeGreaterThanOrEqual(9);
});

test("up takes over what claws 0.8 left, says so once, and leaves the old files", async () => {
  const workspace = createWorkspace();
  stopAfterTest(workspace);
  const old = clawsFile(workspace, "events/default");
  mkdirSync(old, { recursive: true });
  const record = { topic: "worker.7.boot", from: "p_000001", ts_server: "2026-04-27T12:00:00.123Z", payload: {} };
  const line = `${JSON.stringify({ ...record, sequence: 0 })}\n`;
  writeFileSync(join(old, "0001-2026-04-27T12.jsonl"), line);
  const { stdout } = await runClaw(workspace, ["up"]);
  expect(stdout).toMatch(/took over +1 event of claws 0\.8; the old files stay in \S+\.claws\n/);
  expect(readLog(workspace)[0]).toEqual({ ...record, sequence: 1 });
  expect(readFileSync(join(old, "0001-2026-04-27T12.jsonl"), "utf8")).toBe(line);
  await clawJson(workspace, ["down"]);
  expect(await clawJson(workspace, ["up"])).not.toHaveProperty("took_over");
});
