import { findNatsServers } from "../scripts/nats/give-nats.mjs";
import { crowd } from "./cluster/crowd.ts";
import { delivery } from "./cluster/delivery.ts";
import { publishing } from "./cluster/publishing.ts";
import { shards } from "./cluster/shards.ts";
import type { Progress, Row } from "./suite.ts";

/** What many machines on one log cost, compared with the client of NATS alone; and up to 10,000 workers on them. */
export async function cluster(progress: Progress): Promise<Row[]> {
  const binary = process.env["CLAW_NATS_SERVER"] ?? findNatsServers().at(-1)?.path;
  if (binary === undefined) throw new Error("no nats-server on this machine; `npm test` installs one on Debian");
  return [
    ...(await publishing(binary, progress)),
    ...(await delivery(binary, progress)),
    ...(await crowd(binary, progress)),
    ...(await shards(binary, progress)),
  ];
}
