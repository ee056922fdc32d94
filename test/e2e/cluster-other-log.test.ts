import { expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Daemon, Frame } from "./daemon-process.ts";
import { connectWire, startDaemon } from "./daemon-process.ts";
import { startMigration, stopDaemon } from "./migration-scene.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

/** Publishes an event. Resolves with its cursor. */
async function say(workspace: Workspace, n: number): Promise<string> {
  const { cursor } = await clawJson(workspace, ["publish", "note.count", JSON.stringify({ n })]);
  return String(cursor);
}

const epochOf = (cursor: string): string => cursor.slice(0, cursor.indexOf(":"));

/** What a client that comes back with a cursor is told first. */
async function toldFrom({ socket }: Pick<Daemon, "socket">, cursor: string): Promise<Frame> {
  const client = await connectWire(socket);
  try {
    await client.hello("orchestrator", { capabilities: ["gap"] });
    await client.ask({ cmd: "subscribe", topic: "**", fromCursor: cursor });
    const isTold = ({ push }: Frame): boolean => push === "gap" || push === "message";
    return await until("the client to be told something", () => client.frames().find(isTold));
  } finally {
    client.close();
  }
}

test("a cursor of the folder's log gets a gap in a cluster that the log was not moved into, and the other way round", async () => {
  const { workspace, joining } = await startMigration();
  let daemon = await startDaemon(workspace);
  const own = await say(workspace, 1);
  await stopDaemon(daemon);
  daemon = await startDaemon(workspace, ...joining);
  const shared = await say(workspace, 2);
  expect([epochOf(own), epochOf(shared)]).toEqual(["0001", "0002"]);
  expect(await toldFrom(daemon, own)).toMatchObject({ push: "gap", from: own, reason: "epoch" });
  await stopDaemon(daemon);
  daemon = await startDaemon(workspace);
  expect(epochOf(await say(workspace, 3))).toBe("0001");
  expect(await toldFrom(daemon, shared)).toMatchObject({ push: "gap", from: shared, reason: "epoch" });
});

test("a folder that gets a log of its own after it was in a cluster gives it another epoch", async () => {
  const { workspace, joining } = await startMigration();
  let daemon = await startDaemon(workspace, ...joining);
  const shared = await say(workspace, 1);
  await stopDaemon(daemon);
  daemon = await startDaemon(workspace);
  expect([epochOf(shared), epochOf(await say(workspace, 2))]).toEqual(["0001", "0002"]);
  expect(await toldFrom(daemon, shared)).toMatchObject({ push: "gap", reason: "epoch" });
  await stopDaemon(daemon);
  await startDaemon(workspace, ...joining);
  expect(epochOf(await say(workspace, 3))).toBe("0001");
});

test("a cluster whose epoch another log of the folder has is refused, until the user leaves that log", async () => {
  const { workspace, joining, server } = await startMigration();
  const bob = createWorkspace();
  await startDaemon(bob, "--bus", server.url, "--cluster", "team", "--machine", "bob");
  await say(bob, 1);
  const daemon = await startDaemon(workspace);
  await say(workspace, 2);
  await stopDaemon(daemon);
  const { error } = await clawJson(workspace, ["up", ...joining]);
  expect(error).toMatchObject({
    code: "LOG_NOT_MOVED",
    hint: expect.stringContaining("claw up --leave-log") as string,
  });
  await stopDaemon(await startDaemon(workspace, ...joining, "--leave-log"));
  await startDaemon(workspace, ...joining);
  expect(epochOf(await say(workspace, 3))).toBe("0001");
});
