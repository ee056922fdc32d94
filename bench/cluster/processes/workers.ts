/**
 * Plays the workers of one daemon, each on a socket of its own: they join, boot, and send heartbeats. A heartbeat has the
 * number of the worker's heartbeats so far in `tokens_used`.
 */
import { openClients } from "../../bus/client.ts";
import { createBeats } from "../beats.ts";
import type { Ask } from "../crowd-messages.ts";

const [socket = "", heartbeatMs = ""] = process.argv.slice(2);
const beats = createBeats(Number(heartbeatMs));

const AT_ONCE = 50;

async function join(count: number): Promise<void> {
  for (let left = count; left > 0; left -= AT_ONCE) {
    const clients = await openClients(socket, "worker", Math.min(left, AT_ONCE));
    await Promise.all(clients.map((client) => beats.add(client)));
  }
}

async function answer(ask: Ask): Promise<object> {
  if (ask.do === "join") await join(ask.count);
  if (ask.do === "stop") await beats.stop();
  return beats.counts();
}

process.on("message", (ask: Ask) => {
  void answer(ask).then((counts) => process.send?.(counts));
});
process.on("disconnect", () => process.exit());
process.send?.("ready");
