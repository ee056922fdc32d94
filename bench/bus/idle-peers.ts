import { median } from "../measure.ts";
import type { Progress, Row } from "../suite.ts";
import { row } from "../suite.ts";
import { openClients } from "./client.ts";
import { measureSingles, percentile } from "./latency.ts";
import { startServer } from "./server.ts";
import { SIZES } from "./sizes.ts";
import type { Load } from "./throughput.ts";
import { closeLoad, openLoad } from "./throughput.ts";

/** The slowest hundredth among idle peers, as a multiple of a daemon without them: the median of paired rounds. */
async function slowdown(among: Load, alone: Load): Promise<number> {
  const p99 = async (load: Load): Promise<number> => percentile(await measureSingles(load, SIZES.singles), 0.99);
  await p99(among);
  await p99(alone);
  const ratios: number[] = [];
  for (let round = 0; round < SIZES.rounds; round += 1) {
    const without = await p99(alone);
    ratios.push((await p99(among)) / without);
  }
  return median(ratios);
}

/** What connected clients cost that do nothing. */
export async function idlePeers(folder: string, progress: Progress): Promise<Row[]> {
  const servers = [await startServer("relaxed", folder), await startServer("relaxed", folder)] as const;
  const [among, alone] = [await openLoad(servers[0], 1), await openLoad(servers[1], 1)];
  try {
    progress(`${SIZES.peers} idle peers`);
    await measureSingles(among, SIZES.singles * 3);
    const before = servers[0].memoryBytes();
    const idle = await openClients(servers[0].socket, "observer", SIZES.peers);
    const each = (servers[0].memoryBytes() - before) / idle.length;
    const slower = await slowdown(among, alone);
    for (const client of idle) client.close();
    return [
      row(`${SIZES.peers} idle peers, each`, each / 1024, "KB", { atMost: 20 }),
      row("publish to delivery among them, p99", slower, "× without them", { atMost: 2 }),
    ];
  } finally {
    for (const load of [among, alone]) closeLoad(load);
    for (const server of servers) await server.stop();
  }
}
