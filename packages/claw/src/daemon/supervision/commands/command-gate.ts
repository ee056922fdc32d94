import { hasLifeEnded } from "claw-contract";
import type { BusExtension, BusHost } from "../../../bus/index.ts";
import { PASSED } from "../../../bus/index.ts";
import { endedHint } from "../../worker-registry/ended-worker.ts";
import type { WorkerRegistry } from "../../worker-registry/worker-registry.ts";

/**
 * Refuses commands to unknown peers and to ended workers. Only the policy `strict` refuses, because older clients send
 * them.
 */
export function createCommandGate(host: BusHost, registry: WorkerRegistry): NonNullable<BusExtension["gate"]> {
  return (_peer, { topic }) => {
    if (!topic.startsWith("cmd.")) return PASSED;
    const [, target = "", action] = topic.split(".");
    if (target === "role" || action === "ack" || host.policy !== "strict") return PASSED;
    const worker = registry.get(target);
    if (worker === undefined && !host.peers.has(target)) {
      return { kind: "refused", error: `no worker is called ${target}`, more: { code: "WORKER_NOT_FOUND" } };
    }
    if (worker === undefined || !hasLifeEnded(worker.life)) return PASSED;
    const more = { code: "WORKER_ENDED", hint: endedHint(registry, worker) };
    return { kind: "refused", error: `worker ${worker.name} has ended`, more };
  };
}
