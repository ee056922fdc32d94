import { expect, test } from "vitest";
import { killHard, startDaemon } from "./daemon-process.ts";
import { connectMcp, ERAS } from "./mcp-scene.ts";
import { clawJson } from "./run-claw.ts";
import { createWorkspace } from "./workspace.ts";

test.each(ERAS)("a wait for events of %s goes on while the daemon is killed and started again", async (version) => {
  const workspace = createWorkspace();
  const { pid } = await startDaemon(workspace);
  const { call } = await connectMcp(workspace, { version });
  const { cursor } = await call("claws_events");
  const waiting = call("claws_events", { topics: ["note.*"], since: cursor, wait_seconds: 40 });
  // Another call of the connection is answered after the wait has begun.
  await call("claws_workers");
  await killHard(pid);
  await startDaemon(workspace);
  await clawJson(workspace, ["publish", "note.a", '{"n":1}']);
  await clawJson(workspace, ["publish", "note.a", '{"n":2}']);
  const first = await waiting;
  const rest = await call("claws_events", { topics: ["note.*"], since: first["cursor"] });
  const told = [first, rest].flatMap(({ events }) => events as { payload: { data: unknown } }[]);
  expect(told.map(({ payload }) => payload.data)).toEqual([{ n: 1 }, { n: 2 }]);
});

test("a wait for events whose daemon stays away ends with the place to go on from", async () => {
  const workspace = createWorkspace();
  const { pid } = await startDaemon(workspace);
  const { call } = await connectMcp(workspace);
  const { cursor } = await call("claws_events");
  const waiting = call("claws_events", { topics: ["note.*"], since: cursor, wait_seconds: 2 });
  await call("claws_workers");
  await killHard(pid);
  const { error, ...data } = await waiting;
  const place = error === undefined ? data : (error as unknown as { partial: unknown }).partial;
  expect(place).toMatchObject({ events: [], cursor });
});
