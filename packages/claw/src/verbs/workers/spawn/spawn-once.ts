import type { ReceivedReply, VerbInput } from "claw-contract";
import { openOrchestrator } from "../../bus/open-bus.ts";
import { whileAway } from "../../bus/while-away.ts";
import type { Ports } from "../../runtime/handle.ts";
import { readSpawn } from "./read-spawn.ts";

/** How long a start waits for a daemon that went away meanwhile. */
const START_AWAY_MS = 20_000;

/**
 * Starts a worker, once for each key, also when the daemon goes away meanwhile and comes back. Rejects as the verb
 * `spawn` does.
 */
export async function spawnOnce(
  input: VerbInput<"spawn">,
  key: string,
  ports: Ports,
): Promise<ReceivedReply<"worker.spawn">> {
  const { signal } = ports;
  const request = { ...(await readSpawn(input, ports)), key };
  const deadlineMs = Date.now() + START_AWAY_MS;
  return whileAway({ signal, deadlineMs: () => deadlineMs }, async () => {
    const bus = await openOrchestrator(ports);
    try {
      return await bus.request("worker.spawn", request);
    } finally {
      await bus.close();
    }
  });
}
