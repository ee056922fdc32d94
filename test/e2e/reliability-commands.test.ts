import { isDeepStrictEqual } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { temporaryFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";
import { HANDLERS } from "../../packages/claw/src/bus/requests/handlers.generated.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { CommandScene, Effect } from "../reliability/command-effects.ts";
import { COMMAND_ROWS } from "../reliability/command-effects.ts";
import type { ForegroundDaemon } from "../reliability/foreground-daemon.ts";
import { startForeground } from "../reliability/foreground-daemon.ts";
import type { Frame, WireClient } from "./daemon-process.ts";
import { connectWire } from "./daemon-process.ts";

const folder = temporaryFolder(afterAll);
const running: { daemon?: ForegroundDaemon } = {};

beforeAll(async () => {
  running.daemon = await startForeground(folder);
});

afterAll(() => running.daemon?.kill());

const socket = (): string => running.daemon?.socket ?? "";

async function killAndRestart(): Promise<void> {
  await running.daemon?.kill();
  running.daemon = await startForeground(folder);
}

/** The two who take part come back as themselves after each crash. */
async function enter(): Promise<CommandScene> {
  const [boss, worker] = [await connectWire(socket()), await connectWire(socket())];
  const bossId = await boss.hello("orchestrator", { instanceNonce: "boss" });
  return { boss, bossId, worker, workerId: await worker.hello("worker", { instanceNonce: "worker" }) };
}

/** Somebody who takes no part and is told of everything from a place in the log on. */
async function watch(more: Frame): Promise<WireClient> {
  const watcher = await connectWire(socket());
  await watcher.hello("orchestrator", { peerName: "watcher" });
  expect(await watcher.ask({ cmd: "subscribe", topic: "**", ...more })).toMatchObject({ ok: true });
  return watcher;
}

/** The event on that topic, when the effect has one. */
async function toldOf(watcher: WireClient, { told }: Effect): Promise<Frame | undefined> {
  if (told === undefined) return undefined;
  const isIt = ({ topic, payload }: Frame): boolean =>
    topic === told.topic && isDeepStrictEqual({ ...(payload as Frame), ...told.payload }, payload);
  const { topic, from, payload, sequence } = await until(told.topic, () => watcher.messages().find(isIt));
  return { topic, from, payload, sequence };
}

/** The answer to the effect's question, when there is one. */
async function shownOf(watcher: WireClient, { shown }: Effect): Promise<Frame> {
  return shown === undefined ? {} : watcher.ask(shown.question);
}

test.each(COMMAND_ROWS)("what %s does is seen by others, and again after kill -9", async (_command, perform) => {
  const third = await watch({});
  const effect = await perform(await enter());
  const told = await toldOf(third, effect);
  expect(await shownOf(third, effect)).toMatchObject(effect.shown?.answer ?? {});
  await killAndRestart();
  const late = await watch({ fromCursor: "0000:0" });
  expect(await toldOf(late, effect)).toEqual(told);
  expect(await shownOf(late, effect)).toMatchObject(effect.shown?.answer ?? {});
});

const FAMILIES = /^(task\.|deliver-cmd$|cmd\.|rpc\.|lifecycle\.|monitors\.|wave\.|pipeline\.)/;

test("every command about tasks, deliveries, calls, missions, monitors, waves and pipelines is among them", () => {
  const commands = [...HANDLERS.keys()].map(String).filter((command) => FAMILIES.test(command));
  expect(new Set(COMMAND_ROWS.map(([command]) => command))).toEqual(new Set(commands));
});
