import { connectOrchestrator } from "claw-client";
import { unixChannel } from "claw-client/node";
import { expect, onTestFinished, test } from "vitest";
import { startForeground } from "../reliability/foreground-daemon.ts";
import { readLogFiles } from "../reliability/losses.ts";
import type { Random } from "../reliability/random.ts";
import { chooseSeed, createRandom } from "../reliability/random.ts";
import type { RawFollower } from "../reliability/raw-follower.ts";
import { followRaw } from "../reliability/raw-follower.ts";
import { createWorkspace } from "./workspace.ts";

const WRITERS = 3;
const EVENTS = 2400;
const FOLLOWERS = 24;
const FILLING = "x".repeat(1500);

/** Somebody who begins anywhere, and may stop reading for a while, or lose the connection. */
function joinSomewhere(socket: string, newest: number, random: Random): { follower: RawFollower; habit: string } {
  const from = random.pick(["now", "0000:0", `0001:${random.below(newest)}`, `0001:${newest}`]);
  const habit = random.pick(["steady", "stops reading", "is cut off"]);
  const follower = followRaw({ socket, name: "follower", topic: "cmd.**", ...(from === "now" ? {} : { from }) });
  onTestFinished(() => follower.close());
  if (habit === "stops reading") follower.pause(true);
  return { follower, habit };
}

/** Publishes everything, and lets somebody join each time so many were acknowledged. */
async function publishAll(socket: string, join: (newest: number) => void): Promise<void> {
  const names = Array.from({ length: WRITERS }, (_, index) => `writer-${index}`);
  const writers = names.map((name) => connectOrchestrator({ channel: unixChannel(socket), name }));
  onTestFinished(async () => void (await Promise.all(writers.map((writer) => writer.close()))));
  let acknowledged = 0;
  const publish = async (index: number): Promise<void> => {
    const text = `${index} ${FILLING}`;
    const receipt = await writers[index % WRITERS]?.publish("cmd.role.worker", { command: "inject_text", text });
    acknowledged += 1;
    if (acknowledged % (EVENTS / FOLLOWERS) === 0) join(receipt?.sequence ?? 0);
  };
  await Promise.all(Array.from({ length: EVENTS }, (_, index) => publish(index)));
}

test("whoever joins anywhere while others publish is pushed each event once, in order, fast or slow", async () => {
  const { cwd } = createWorkspace();
  const random = createRandom(chooseSeed());
  const daemon = await startForeground(cwd);
  onTestFinished(() => daemon.kill());
  const joined: { follower: RawFollower; habit: string }[] = [];
  await publishAll(daemon.socket, (newest) => {
    for (const { follower, habit } of joined) if (habit === "is cut off" && random.below(4) === 0) follower.cut();
    joined.push(joinSomewhere(daemon.socket, newest, random));
  });
  for (const { follower } of joined) follower.pause(false);
  const stored = readLogFiles(cwd).flatMap(({ topic, sequence }) => (topic.startsWith("cmd.") ? [sequence] : []));
  for (const { follower, habit } of joined) {
    const after = await follower.subscribed;
    const wanted = stored.filter((sequence) => sequence > after);
    await follower.reached(wanted.length);
    const got = follower.events.map(({ sequence }) => sequence);
    expect(got, `CLAW_SEED=${random.seed}, one that ${habit} after ${after}`).toEqual(wanted);
  }
  expect(joined.flatMap(({ follower }) => follower.others.filter(({ push }) => push === "gap"))).toEqual([]);
});
