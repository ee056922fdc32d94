import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Orchestrator } from "claw-client";
import { connectOrchestrator } from "claw-client";
import { unixChannel } from "claw-client/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { findNatsServers } from "../../scripts/nats/give-nats.mjs";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { effort } from "./effort.ts";
import type { Frame } from "./daemon-process.ts";
import { clawsFile, connectWire, startDaemon } from "./daemon-process.ts";
import { askIn, withFixer, withQuestion } from "./fixer-scene.ts";
import { expectMoved, startMigration, stopDaemon } from "./migration-scene.ts";
import { clawJson, runClaw } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";

const recordOf = (workspace: Workspace): { pid: number } =>
  JSON.parse(readFileSync(clawsFile(workspace, "daemon.json"), "utf8")) as { pid: number };

/** What people are shown: workers and open approvals, without what the time of day changes. */
async function shownBy(workspace: Workspace): Promise<unknown> {
  const { workers } = await clawJson(workspace, ["ps", "--all"]);
  const { approvals } = await clawJson(workspace, ["approvals"]);
  const { tasks } = await clawJson(workspace, ["tasks", "list"]);
  const worker = ({ peer_id, name, role, model }: Frame): Frame => ({ peer_id, name, role, model });
  const approval = ({ approval_id, peer_id, message, options, expires_at }: Frame): Frame => ({
    approval_id,
    peer_id,
    message,
    options,
    expires_at,
  });
  const task = ({ task_id, title, assignee }: Frame): Frame => ({ task_id, title, assignee });
  return {
    workers: (workers as Frame[]).map(worker),
    approvals: (approvals as Frame[]).map(approval),
    tasks: (tasks as Frame[]).map(task),
  };
}

async function joinAs(socket: string, name: string): Promise<Orchestrator> {
  const client = connectOrchestrator({ channel: unixChannel(socket), name });
  onTestFinished(() => client.close());
  await client.ready();
  return client;
}

/** The newest server; all in `npm run soak`. */
const SERVERS = findNatsServers().slice(effort(-1, 0));

describe.each(SERVERS)("a log moved into a cluster and back, nats-server $version", ({ path }) => {
  test("shows the workers, approvals and events that it showed before; its cursors go on, its ids are new", async () => {
    const { workspace, joining, move, events } = await startMigration(path);
    const id = await withQuestion(workspace);
    const { task_id: oldTask } = await clawJson(workspace, ["tasks", "assign", "fixer", "count the files"]);
    const before = await events();
    const cursor = String(before.at(-2)?.["cursor"]);
    const shown = await shownBy(workspace);
    expect(shown).toMatchObject({ workers: [{ name: "fixer" }], approvals: [{ approval_id: id }], tasks: [{}] });
    await stopDaemon(recordOf(workspace));
    expectMoved(await move("stream"), { effect: "created", holes: 0 });
    let daemon = await startDaemon(workspace, ...joining);
    expect((await events()).slice(0, before.length)).toEqual(before);
    expect((await events(cursor))[0]).toEqual(before.at(-1));
    expect(await shownBy(workspace)).toEqual(shown);
    const peers = new Set(before.map((event) => event["from"]));
    const stranger = await connectWire(daemon.socket);
    expect(peers.has(await stranger.hello("worker", { peerName: "late" }))).toBe(false);
    const { task_id: newTask } = await clawJson(workspace, ["tasks", "assign", "late", "count again"]);
    expect([oldTask, newTask]).toEqual(["t_001", expect.stringMatching(/^t_(?!001)\d+$/)]);
    stranger.close();
    const later = await events();
    await stopDaemon(daemon);
    expectMoved(await move("folder"), { effect: "updated" });
    daemon = await startDaemon(workspace);
    expect((await events()).slice(0, later.length)).toEqual(later);
    expect((await events(cursor))[0]).toEqual(before.at(-1));
    expect(await clawJson(workspace, ["approve", id, "--choose", "A"])).toMatchObject({ effect: "updated" });
    const again = await connectWire(daemon.socket);
    const known = new Set(later.map((event) => event["from"]));
    expect(known.has(await again.hello("worker", { peerName: "last" }))).toBe(false);
  });

  test("a reader that stays gets every event once and in order, and is told of no gap", async () => {
    const { workspace, joining, move } = await startMigration(path);
    let daemon = await startDaemon(workspace);
    const client = await joinAs(daemon.socket, "counter");
    const durable = client.subscribeDurable("note.count", { name: "audit", from: "0000:0" });
    const [live, kept]: [unknown[], unknown[]] = [[], []];
    const numberOf = (payload: unknown): unknown => (payload as { data: { n: unknown } }).data.n;
    const follow = async (): Promise<void> => {
      for await (const item of client.subscribe("note.count", { from: "0000:0", own: true })) {
        if (item.kind !== "caught-up") live.push(item.kind === "event" ? numberOf(item.payload) : item);
      }
    };
    const acknowledge = async (): Promise<void> => {
      for await (const item of durable) {
        if (item.kind === "caught-up") continue;
        kept.push(item.kind === "event" ? numberOf(item.payload) : item);
        if (item.kind === "event") await durable.ack(item);
      }
    };
    const reading = Promise.allSettled([follow(), acknowledge()]);
    const say = async (from: number): Promise<void> => {
      for (let n = from; n < from + 20; n += 1) await client.publish("note.count", { n });
      await until("all of it to be read", () => live.length >= from + 20 && kept.length >= from + 20);
    };
    await say(0);
    await stopDaemon(daemon);
    expectMoved(await move("stream"));
    daemon = await startDaemon(workspace, ...joining);
    await say(20);
    await stopDaemon(daemon);
    expectMoved(await move("folder"));
    daemon = await startDaemon(workspace);
    await say(40);
    const wanted = Array.from({ length: 60 }, (_, n) => n);
    expect([live, kept]).toEqual([wanted, wanted]);
    await client.close();
    await reading;
  });

  test("a machine needs no more permissions than its daemon has", async () => {
    const { workspace, server, joining, move } = await startMigration(path);
    await clawJson(workspace, ["cluster-credentials", "ann", "--cluster", "team", "--out", "keys"]);
    await server.kill();
    const config = readFileSync(join(workspace.cwd, "keys/team.conf"), "utf8");
    const { server: locked } = await startMigration(path, config);
    const flags = ["--bus", locked.url, ...joining.slice(2), "--bus-credentials", "keys/ann.nk"];
    const { pid } = await startDaemon(workspace);
    await clawJson(workspace, ["publish", "note.x", "1"]);
    await stopDaemon({ pid });
    expectMoved(await clawJson(workspace, ["bus", "migrate", "--to", "stream", ...flags]));
    await stopDaemon(await startDaemon(workspace, ...flags));
    expectMoved(await clawJson(workspace, ["bus", "migrate", "--to", "folder", ...flags]));
    expect((await move("stream")).error).toMatchObject({ code: "NATS_UNREACHABLE" });
  });
});

/** Takes the first events away, as retention does. Their state is in the snapshot that the daemon wrote at its end. */
function trim(workspace: Workspace, keepFrom: number): void {
  const folder = clawsFile(workspace, "log");
  const lines = readFileSync(join(folder, "000000000001.jsonl"), "utf8").split("\n");
  rmSync(folder, { recursive: true });
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, `${String(keepFrom).padStart(12, "0")}.jsonl`), lines.slice(keepFrom - 1).join("\n"));
}

test("what only a snapshot knows, because retention removed its events, is known in the cluster and after the way back", async () => {
  const newest = findNatsServers().at(-1);
  if (newest === undefined || /^2\.[0-9]\./.test(newest.version)) return;
  const { workspace, joining, move, events } = await startMigration(newest.path);
  const scene = await withFixer(workspace);
  const id = await askIn(workspace, scene);
  await clawJson(workspace, ["publish", "note.x", "1"]);
  const shown = await shownBy(workspace);
  const head = (await events()).length;
  await stopDaemon(recordOf(workspace));
  trim(workspace, head);
  expectMoved(await move("stream"), { first: head });
  let daemon = await startDaemon(workspace, ...joining);
  expect(await shownBy(workspace)).toEqual(shown);
  await stopDaemon(daemon);
  expectMoved(await move("folder"), { first: head });
  daemon = await startDaemon(workspace);
  expect(await shownBy(workspace)).toEqual(shown);
  expect(await clawJson(workspace, ["approve", id, "--choose", "A"])).toMatchObject({ effect: "updated" });
});

test("a folder whose log was left says where the log is, and the old log can be taken up again", async () => {
  const { workspace, move, events } = await startMigration();
  const { pid } = await startDaemon(workspace);
  await clawJson(workspace, ["publish", "note.x", "1"]);
  const before = await events();
  await stopDaemon({ pid });
  expectMoved(await move("stream"));
  const refused = await runClaw(workspace, ["up"]);
  expect(refused.stderr).toContain("the log of this folder went on in the cluster team");
  expect(refused.stderr).toContain("claw bus migrate --to old-log");
  const old = await clawJson(workspace, ["bus", "migrate", "--to", "old-log"]);
  expect(old).toMatchObject({ effect: "updated", cursors: "gap", epoch: "0002" });
  await startDaemon(workspace);
  const after = await events();
  const bare = (list: Frame[]): unknown[] => list.map(({ cursor: _cursor, ...event }) => event);
  expect(bare(after).slice(0, before.length)).toEqual(bare(before));
  expect(readdirSync(join(workspace.cwd, ".claws"))).not.toContain("moved.json");
});
