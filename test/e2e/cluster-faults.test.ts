import { cpSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connectOrchestrator, connectWorker } from "claw-client";
import type { Orchestrator } from "claw-client";
import { unixChannel } from "claw-client/node";
import { expect, onTestFinished, test } from "vitest";
import { openConnection } from "../../packages/claw/src/cluster/index.ts";
import type { NatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import { startNatsServer } from "../../packages/claw/src/cluster/testing/nats-server.ts";
import { temporaryFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Daemon, Frame } from "./daemon-process.ts";
import { clawsFile, killHard, startDaemon } from "./daemon-process.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

interface Scene {
  server: NatsServer;
  readonly folder: string;
  readonly workspace: Workspace;
  readonly daemon: Daemon;
}

async function startScene(): Promise<Scene> {
  const folder = join(temporaryFolder(onTestFinished), "nats");
  const workspace = createWorkspace();
  const server = await startNatsServer({ folder });
  const flags = ["--bus", server.url, "--cluster", "test", "--machine", "one"];
  const scene = { server, folder, workspace, daemon: await startDaemon(workspace, ...flags) };
  onTestFinished(() => scene.server.kill());
  return scene;
}

async function joinAs(name: string, { daemon }: Scene): Promise<Orchestrator> {
  const client = connectOrchestrator({ channel: unixChannel(daemon.socket), name });
  onTestFinished(() => client.close());
  await client.ready();
  return client;
}

const numbersOf = async ({ workspace }: Scene): Promise<unknown[]> => {
  const args = ["events", "--topic", "note.count", "--since", "0000:0", "--limit", "1000"];
  const { events } = await clawJson(workspace, args);
  return ((events ?? []) as Frame[]).map(({ payload }) => (payload as { data?: { n?: unknown } } | undefined)?.data?.n);
};

/** Counts while NATS is away and comes back. Resolves when the bus has stored all. */
const count = (client: Orchestrator, from: number, to: number): Promise<unknown> =>
  Promise.all(Array.from({ length: to - from }, (_, index) => client.publish("note.count", { n: from + index })));

test("what a client says while NATS is away is stored once and in order when NATS is back", async () => {
  const scene = await startScene();
  const client = await joinAs("counter", scene);
  await count(client, 0, 50);
  const counting = [count(client, 50, 100)];
  await scene.server.kill();
  counting.push(count(client, 100, 150));
  const refused = await until("the bus to refuse", async () => {
    const { error } = await clawJson(scene.workspace, ["publish", "note.x", '{"n":1}']);
    return error;
  });
  expect(refused).toMatchObject({
    code: "NATS_UNREACHABLE",
    retryable: true,
    retry_after_ms: expect.any(Number) as number,
  });
  scene.server = await scene.server.restart();
  counting.push(count(client, 150, 200));
  await Promise.all(counting);
  expect(await numbersOf(scene)).toEqual(Array.from({ length: 200 }, (_, index) => index));
});

test("a stream that is deleted and made again is followed by the same process, and its clients go on", async () => {
  const scene = await startScene();
  const client = await joinAs("counter", scene);
  await count(client, 0, 5);
  const connection = await openConnection({ url: scene.server.url, name: "operator" });
  onTestFinished(() => connection.close());
  const manager = await jetstreamManager(connection.nats);
  const { config } = await manager.streams.info("claw_test");
  await manager.streams.delete("claw_test");
  await manager.streams.add(config);
  await until("the daemon to follow the new stream", async () => {
    const { events, error } = await clawJson(scene.workspace, ["events", "--since", "0000:0", "--limit", "1000"]);
    return error === undefined && (events as Frame[]).some(({ cursor }) => String(cursor).startsWith("0002:"));
  });
  await count(client, 5, 8);
  expect(await numbersOf(scene)).toEqual([5, 6, 7]);
  const record = JSON.parse(readFileSync(clawsFile(scene.workspace, "daemon.json"), "utf8")) as { pid: number };
  expect(record.pid).toBe(scene.daemon.pid);
});

test("a server that is restored to an older point is followed as another epoch", async () => {
  const scene = await startScene();
  const client = await joinAs("counter", scene);
  await count(client, 0, 5);
  await scene.server.kill("SIGTERM");
  const [store, copy] = [join(scene.folder, "store"), join(scene.folder, "copy")];
  cpSync(store, copy, { recursive: true });
  scene.server = await scene.server.restart();
  await count(client, 5, 10);
  await scene.server.kill("SIGTERM");
  rmSync(store, { recursive: true });
  cpSync(copy, store, { recursive: true });
  scene.server = await scene.server.restart();
  await count(client, 10, 12);
  const { events } = await clawJson(scene.workspace, [
    "events",
    "--topic",
    "note.count",
    "--since",
    "0000:0",
    "--limit",
    "1000",
  ]);
  expect((events as Frame[]).at(-1)?.["cursor"]).toMatch(/^0002:/);
  expect(await numbersOf(scene)).toEqual([0, 1, 2, 3, 4, 10, 11]);
});

test("workers of a machine that is killed are stale on the others, and shown as they are when it is back", async () => {
  const scene = await startScene();
  const other = createWorkspace();
  const flags = ["--bus", scene.server.url, "--cluster", "test", "--machine", "two"];
  const { pid, socket } = await startDaemon(other, ...flags);
  const worker = connectWorker({ channel: unixChannel(socket), name: "w" });
  onTestFinished(() => worker.close());
  await worker.boot({ model: "none", mission_summary: "go on", cwd: other.cwd });
  const shown = async (): Promise<Frame | undefined> => {
    const { workers } = await clawJson(scene.workspace, ["ps", "--all"]);
    return (workers as Frame[]).find(({ name }) => name === "w");
  };
  const before = await until("the worker to be shown", shown);
  expect(before["state"]).not.toBe("stale");
  await killHard(pid);
  const stale = await until("the worker to be stale", async () => {
    const found = await shown();
    return found?.["state"] === "stale" ? found : undefined;
  });
  expect(stale).toMatchObject({ reason: "machine two is not heard", ended: false });
  await startDaemon(other, ...flags);
  await until("the worker to be shown as it is", async () => (await shown())?.["state"] === before["state"]);
}, 120_000);
