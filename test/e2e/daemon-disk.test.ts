import { join } from "node:path";
import { expect, test } from "vitest";
import { mountSmallDisk } from "../reliability/small-disk.ts";
import { connectWire, startDaemon } from "./daemon-process.ts";
import { refused } from "./provocations.ts";
import { clawJson } from "./run-claw.ts";
import { createWorkspace } from "./workspace.ts";

/** More than are put aside, so that the next one would have to be remembered. */
const IDS = 70;

test("calls on a full disk say that it is full, those that only read go on, and all do when there is space", async ({
  skip,
}) => {
  const { cwd, home } = createWorkspace();
  const disk = mountSmallDisk(join(cwd, "disk"));
  if (typeof disk === "string") return skip(disk);
  const workspace = { cwd: disk.folder, home };
  const { socket } = await startDaemon(workspace);
  await clawJson(workspace, ["publish", "note.x", '{"n":1}']);
  disk.fill();
  const large = JSON.stringify("x".repeat(8192));
  expect(await refused(workspace, ["publish", "note.x", large])).toMatchObject({ code: "DISK_FULL", retryable: true });
  expect(await clawJson(workspace, ["events", "--topic", "note.*"])).toMatchObject({ events_count: 1 });
  for (let n = 0; n < IDS; n += 1) {
    const client = await connectWire(socket);
    await client.ask({ cmd: "hello", protocol: "claws/2", role: "observer" });
    client.close();
  }
  for (const args of [["peers"], ["publish", "note.x", "2"], ["tasks"]]) {
    expect(await refused(workspace, args)).toMatchObject({ code: "DISK_FULL" });
  }
  disk.free();
  expect(await clawJson(workspace, ["publish", "note.x", '{"n":2}'])).toMatchObject({ effect: "created" });
  const { events } = await clawJson(workspace, ["events", "--topic", "note.*"]);
  expect(events).toMatchObject([{ payload: { data: { n: 1 } } }, { payload: { data: { n: 2 } } }]);
  return undefined;
});
