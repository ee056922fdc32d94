import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { connectObserver } from "claw-client";
import { unixChannel } from "claw-client/node";
import { sizeOf } from "./effort.ts";
import { runClaw, runNode } from "./child.ts";
import { fastest, median, timeMs } from "./measure.ts";
import type { Progress, Row } from "./suite.ts";
import { row } from "./suite.ts";
import { withTempFolder } from "./temp-folder.ts";
import { workerMemory } from "./worker-memory.ts";

const ROUNDS = sizeOf(15, 1);
const UNIT = "× node -e 0";
const SPAWN = ["spawn", "--harness", "fake", "--scenario", "text", "--wait", "none", "hello"] as const;

interface Listed {
  readonly workers: readonly { readonly state: string }[];
}

/** A worker goes on after its boot; that belongs to nobody's figures. */
async function untilNobodyWorks(cwd: string): Promise<void> {
  for (;;) {
    const { workers } = JSON.parse(await runClaw(["ps", "--output-format", "json"], { cwd })) as Listed;
    if (workers.every(({ state }) => state === "finished")) return;
    await delay(50);
  }
}

/** How long it takes from calling `claw spawn` until the worker's boot is in the log, against Node doing nothing. */
export function workers(progress: Progress): Promise<Row[]> {
  return withTempFolder(async (cwd) => {
    await runClaw(["up"], { cwd });
    const socket = join(cwd, ".claws", "claws.sock");
    const observer = connectObserver({ channel: unixChannel(socket), name: "bench" });
    try {
      const timings = { node: [] as number[], spawn: [] as number[] };
      const boots = observer.subscribe("worker.*.boot");
      await boots.ready();
      const nextBoot = async (): Promise<void> => {
        for (;;) {
          const { value: item } = await boots.next();
          if (item?.kind === "event") return;
        }
      };
      const calls: Promise<string>[] = [];
      const contenders = {
        node: () => runNode(["-e", "0"], { cwd }),
        spawn: () => {
          calls.push(runClaw(SPAWN, { cwd }));
          return nextBoot();
        },
      };
      progress(`measuring ${ROUNDS} rounds of node, spawn`);
      for (let round = -1; round < ROUNDS; round += 1) {
        for (const name of round % 2 === 0 ? (["node", "spawn"] as const) : (["spawn", "node"] as const)) {
          await untilNobodyWorks(cwd);
          const ms = await timeMs(contenders[name]);
          if (round >= 0) timings[name].push(ms);
          await Promise.all(calls.splice(0));
        }
      }
      await untilNobodyWorks(cwd);
      const [node, spawn] = [median(timings.node), median(timings.spawn)];
      return [
        row("node -e 0", node, "ms"),
        row("claw spawn until boot", spawn, "ms"),
        row("claw spawn until boot", spawn / node, UNIT, { atMost: 3.2 }),
        row("claw spawn until boot, fastest runs", fastest(timings.spawn) / fastest(timings.node), UNIT),
        ...(await workerMemory(cwd)),
      ];
    } finally {
      await observer.close();
      await runClaw(["down", "--abort"], { cwd });
    }
  });
}
