import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Progress, Row } from "../suite.ts";
import { row } from "../suite.ts";
import { COUNTS, grouped, most } from "./crowd-rows.ts";
import type { Load } from "./crowd-rows.ts";
import { grow, inFolder, measureLoad, openScene, requireRight } from "./crowd.ts";
import { SIZES } from "./sizes.ts";

/** What one shard costs alone, and what the same shard costs beside another one. */
function rowsOf(alone: Load, [first, second]: readonly [Load, Load]): Row[] {
  const each = `${grouped(SIZES.shardWorkers)} ${COUNTS} in each of 2 shards`;
  const events = first.eventsPerSecond + second.eventsPerSecond;
  return [
    row(`${each}, events of both`, events, "events/s"),
    row(`${each}, busiest of 3 daemons of the first`, most(first.daemonCpu) * 100, "% of a core"),
    row(`${each}, busiest of 3 daemons of the first`, most(first.daemonCpu) / most(alone.daemonCpu), "× one shard"),
    row(`${each}, nats-server`, first.serverCpu * 100, "% of a core"),
    row(`${each}, nats-server`, first.serverCpu / alone.serverCpu, "× one shard"),
  ];
}

/**
 * Two clusters on one server, with the same number of workers each. Throws unless every observer gets all heartbeats of
 * its own shard, and none of the other.
 */
export const shards = (binary: string, progress: Progress): Promise<Row[]> =>
  inFolder(async (folder, onEnd) => {
    progress(`${SIZES.shardWorkers} workers in one shard, and in each of two`);
    const [here, there] = [join(folder, "first"), join(folder, "second")];
    for (const path of [here, there]) mkdirSync(path);
    const first = await openScene(here, { binary }, onEnd);
    await grow(first, 0, SIZES.shardWorkers);
    const alone = await measureLoad(first);
    const second = await openScene(there, { binary, shard: { name: "bench-2", nats: first.cluster.nats } }, onEnd);
    await grow(second, 0, SIZES.shardWorkers);
    const both = await Promise.all([measureLoad(first), measureLoad(second)]);
    for (const scene of [first, second]) await requireRight(scene);
    return rowsOf(alone, both);
  });
