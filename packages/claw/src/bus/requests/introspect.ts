import { CAPABILITIES } from "claw-contract";
import { PROTOCOLS } from "../wire/wire.ts";
import { handleRequest, ok } from "./request-handler.ts";

/** Describes the server: version, platform, terminals, policy, durability, counts, log. */
export const handleIntrospect = handleRequest("introspect", ({ context }, done) => {
  const { about, state, log, peers, policy, terminals } = context;
  const subscriptions = [...peers.values()].reduce((sum, peer) => sum + peer.subscriptions.size, 0);
  return done(
    ok({
      extensionVersion: about.version ?? "0.0.0",
      nodeVersion: process.version,
      electronAbi: Number(process.versions.modules),
      platform: `${process.platform}-${process.arch}`,
      nodePty: terminals.pty(),
      servers: about.servers ?? [],
      terminals: terminals.open().length,
      uptime_ms: context.now() - context.startedAt,
      protocols: [...PROTOCOLS],
      capabilities: CAPABILITIES,
      policy,
      durability: about.durability ?? "unknown",
      counts: { peers: peers.size, subscriptions, tasks: state.tasks.all().length },
      log: { epoch: log.epoch, oldest: log.oldest(), head: log.head() },
    }),
  );
});
