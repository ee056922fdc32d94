import { join } from "node:path";
import { createBus } from "../../../claw/src/bus/bus.ts";
import { openSegmentLog } from "../../../claw/src/bus/log/index.ts";
import { openTokenStore } from "../../../claw/src/bus/access/tokens/index.ts";
import { createUnixTransport } from "../../../claw/src/bus/transports/unix.ts";
import { nodeFileSystem } from "../../../claw/src/files/index.ts";

/** A bus as a process of its own, to be killed: everything it knows is in the folder it is given. */
const folder = process.argv[2] ?? "";
const log = openSegmentLog(nodeFileSystem, {
  directory: join(folder, "log"),
  durability: "strict",
  segmentBytes: 64 * 1024,
  retainBytes: Infinity,
  retainMs: Infinity,
});
// Every id given out has an event in the log, so its head is beyond all of them.
const counts = { peers: log.head(), subscriptions: log.head() };
const ids = { nextPeer: () => (counts.peers += 1), nextSubscription: () => (counts.subscriptions += 1) };
const tokens = openTokenStore(nodeFileSystem, folder, Date.now);
const bus = createBus({ log, tokens, ids, now: Date.now, report: () => undefined });

async function main(): Promise<void> {
  await bus.restore();
  await createUnixTransport(join(folder, "claws.sock")).listen(bus.accept);
  process.send?.("listening");
}

void main();
