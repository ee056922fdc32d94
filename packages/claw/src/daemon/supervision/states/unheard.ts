import type { WorkerView } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { BusHost } from "../../../bus/index.ts";

/** Says of a machine of the cluster for how long it was not heard; undefined while it is heard. */
export type SilenceOf = (machine: string) => number | undefined;

/**
 * Shows a worker of another machine. Its own daemon publishes its states; when that machine is not heard, its worker is
 * `stale`, and `gone` after the time in which a worker may come back. Nothing is stored: when the machine is heard again,
 * the worker is shown as it is.
 */
export function showUnheard(
  host: Pick<BusHost, "machineOf" | "isHere" | "now">,
  silenceOf: SilenceOf,
): (view: WorkerView) => WorkerView {
  return (view) => {
    const machine = view.ended || host.isHere(view.peer_id) ? undefined : host.machineOf(view.peer_id);
    const silentMs = machine === undefined ? undefined : silenceOf(machine);
    if (machine === undefined || silentMs === undefined) return view;
    const state = silentMs > LIMITS.returnGraceMs ? "gone" : "stale";
    const asOf = new Date(host.now() - silentMs).toISOString();
    return { ...view, state, reason: `machine ${machine} is not heard`, source: "server", as_of: asOf };
  };
}
