/**
 * Follows events and tells its parent when each came, by the clock that all processes of a machine share. Called with
 * `claw`, a socket and a topic, or with `nats`, an address and a stream.
 */
import { once } from "node:events";
import { connect } from "@nats-io/transport-node";
import { openClient } from "../../bus/client.ts";
import { followPlainly } from "../plain-follower.ts";
import { sharedNow } from "../shared-clock.ts";

const tell = (): void => void process.send?.(sharedNow());

async function followClaw(socket: string, topic: string): Promise<void> {
  const client = await openClient(socket, "observer");
  await client.request({ cmd: "subscribe", topic });
  client.receive(tell);
}

const [kind, address = "", what = ""] = process.argv.slice(2);
if (kind === "claw") await followClaw(address, what);
else await followPlainly(await connect({ servers: address }), what, tell);
process.send?.("ready");
await once(process, "disconnect");
process.exit();
