import type { BusContext, BusExtension, Gated } from "../../bus/index.ts";
import type { Fleet } from "../fleet/fleet.ts";

const PASSED: Gated = { kind: "passed", settle: () => undefined };

/** Refuses commands to nobody, and to workers that have ended. Older clients send those, and are let. */
export function createCommandGate(context: BusContext, fleet: Fleet): NonNullable<BusExtension["gate"]> {
  return (_peer, { topic }) => {
    const [family, target = "", action] = topic.split(".");
    if (family !== "cmd" || target === "role" || action === "ack" || context.policy !== "strict") return PASSED;
    const worker = fleet.get(target);
    if (worker === undefined && !context.peers.has(target)) {
      return { kind: "refused", error: `no worker is called ${target}`, more: { code: "WORKER_NOT_FOUND" } };
    }
    return worker?.ended === true
      ? { kind: "refused", error: `worker ${target} has ended`, more: { code: "WORKER_ENDED" } }
      : PASSED;
  };
}
