import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { StreamInfo } from "@nats-io/jetstream";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { beginClaw, clawsFile, startDaemon } from "./daemon-process.ts";
import type { MigrationScene } from "./migration-scene.ts";
import { expectMoved, logText, putLog, startMigration, stopDaemon } from "./migration-scene.ts";
import { clawJson } from "./run-claw.ts";

const EVENTS = 40_000;

/** Looks at the stream of the cluster; undefined while there is none. */
async function openLook({ server }: MigrationScene): Promise<() => Promise<StreamInfo | undefined>> {
  const client = await connect({ servers: server.url });
  onTestFinished(() => client.close());
  const manager = await jetstreamManager(client);
  return () => manager.streams.info("claw_team").catch(() => undefined);
}

/** Begins a call, and kills it at once when something has come true. Returns whether the call ran still. */
async function killWhen(
  { workspace, joining }: MigrationScene,
  to: string,
  [what, isSo]: readonly [what: string, isSo: () => boolean | Promise<boolean>],
): Promise<boolean> {
  const call = beginClaw(workspace, ["bus", "migrate", "--to", to, ...joining, "--output-format", "json"]);
  const ended = call.ended.then(() => true);
  await until(what, async () => (await isSo()) || (await Promise.race([ended, Promise.resolve(false)])));
  try {
    process.kill(call.pid, "SIGKILL");
  } catch {
    return false;
  }
  return (await call.ended).signal === "SIGKILL";
}

test("a call that is killed at any point is called again, and the stream has each event once", async () => {
  const scene = await startMigration();
  const { workspace, joining, move } = scene;
  const text = putLog(workspace, EVENTS);
  const look = await openLook(scene);
  const head = async (): Promise<number> => (await look())?.state.last_seq ?? -1;
  const moments = [
    ["a part to be copied", async () => (await head()) > EVENTS / 3],
    ["all to be copied", async () => (await head()) === EVENTS],
    ["the folder to be left", () => existsSync(clawsFile(workspace, "moved.json"))],
  ] as const;
  const killed: boolean[] = [];
  for (const moment of moments) {
    killed.push(await killWhen(scene, "stream", moment));
    expect(logText(workspace)).toBe(text);
  }
  expect(killed.slice(0, -1)).toEqual([true, true]);
  const moved = await move("stream");
  expect(moved).toMatchObject({ last: EVENTS, events: EVENTS });
  expect(moved.error).toBeUndefined();
  const { state } = (await look()) ?? {};
  expect([state?.messages, state?.last_seq]).toEqual([EVENTS, EVENTS]);
  await startDaemon(workspace, ...joining);
  const { events } = await clawJson(workspace, ["events", "--since", `0001:${EVENTS - 2}`, "--limit", "2"]);
  expect(events).toMatchObject([{ payload: { n: EVENTS - 1 } }, { payload: { n: EVENTS } }]);
});

test("a call that brings the log back and is killed at any point is called again, and the folder has each event once", async () => {
  const scene = await startMigration();
  const { workspace, move } = scene;
  const text = putLog(workspace, EVENTS);
  expectMoved(await move("stream"));
  const claws = (name: string): string => clawsFile(workspace, name);
  const moments = [
    ["a part to be copied", () => existsSync(claws("incoming/log/000000000001.jsonl"))],
    ["the copy to be put in place", () => existsSync(claws("before-1"))],
  ] as const;
  const killed: boolean[] = [];
  for (const moment of moments) killed.push(await killWhen(scene, "folder", moment));
  expect(killed[0]).toBe(true);
  const moved = await move("folder");
  expect(moved).toMatchObject({ last: EVENTS, events: EVENTS, cursors: "continue" });
  expect(logText(workspace)).toBe(text);
  const daemon = await startDaemon(workspace);
  await stopDaemon(daemon);
  expect(readdirSync(join(workspace.cwd, ".claws"))).not.toContain("moved.json");
});
