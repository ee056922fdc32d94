import type { Progress, Row } from "../suite.ts";
import { row } from "../suite.ts";
import type { Client } from "./client.ts";
import { openClient } from "./client.ts";
import { measureSingles, percentile } from "./latency.ts";
import { startServer } from "./server.ts";
import { SIZES } from "./sizes.ts";
import { closeLoad, openLoad } from "./throughput.ts";

const AT_ONCE = 50;

async function openMany(path: string, count: number): Promise<Client[]> {
  const clients: Client[] = [];
  while (clients.length < count) {
    const some = Array.from({ length: AT_ONCE }, () => openClient(path, "observer"));
    clients.push(...(await Promise.all(some)));
  }
  return clients;
}

/** What connected clients cost that do nothing. */
export async function idlePeers(folder: string, progress: Progress): Promise<Row[]> {
  const server = await startServer("relaxed", folder);
  const load = await openLoad(server, 1);
  try {
    progress(`${SIZES.peers} idle peers`);
    await measureSingles(load, SIZES.singles * 3);
    const alone = await measureSingles(load, SIZES.singles * 3);
    const before = server.memoryBytes();
    const idle = await openMany(server.socket, SIZES.peers);
    const each = (server.memoryBytes() - before) / idle.length;
    const among = await measureSingles(load, SIZES.singles * 3);
    for (const client of idle) client.close();
    const slower = percentile(among, 0.99) / percentile(alone, 0.99);
    return [
      row(`${SIZES.peers} idle peers, each`, each / 1024, "KB", { atMost: 30 }),
      row(`publish to delivery among them, p99`, slower, "× without them", { atMost: 2 }),
    ];
  } finally {
    closeLoad(load);
    await server.stop();
  }
}
