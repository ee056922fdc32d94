import { setTimeout as delay } from "node:timers/promises";
import type { BusSeat } from "../../../verbs/index.ts";
import type { ResourceName } from "./resource-uri.ts";

/** After a change, further changes are told together at the end of this time. */
const QUIET_MS = 200;

/** How long a watch waits for a bus that is away before it looks again. */
const AWAY_MS = 2000;

type Bus = Awaited<ReturnType<BusSeat["join"]>>;

const TOPICS: Readonly<Record<ResourceName["kind"], string>> = {
  worker: "system.worker.*",
  diff: "system.worker.*",
  fleet: "system.worker.*",
  approvals: "system.approval.*",
  log: "**",
};

/** Whether an event may change a resource. A worker's resource changes by events of that worker alone. */
async function interestOf(named: ResourceName, bus: Bus): Promise<(payload: unknown) => boolean> {
  if (named.kind !== "worker" && named.kind !== "diff") return () => true;
  const { peer_id: id } = await bus.request("worker.find", { target: named.id });
  return (payload) => (payload as { peerId?: unknown } | null)?.peerId === id;
}

/** Tells of every event that may change the resource, until the bus is away. */
async function follow(named: ResourceName, bus: Bus, changed: () => void): Promise<void> {
  const concerns = await interestOf(named, bus);
  for await (const item of bus.subscribe(TOPICS[named.kind])) {
    if (item.kind === "event" && concerns(item.payload)) changed();
  }
}

/** Joins changes that come close together. The first is told at once. */
function together(changed: () => void): { readonly tell: () => void; readonly stop: () => void } {
  let timer: NodeJS.Timeout | undefined;
  let isDue = false;
  const tell = (): void => {
    if (timer !== undefined) {
      isDue = true;
      return;
    }
    changed();
    timer = setTimeout(() => {
      timer = undefined;
      if (isDue) tell();
      isDue = false;
    }, QUIET_MS);
  };
  return { tell, stop: () => clearTimeout(timer) };
}

/** Calls `changed` whenever a resource may have changed, until the returned function is called. */
export function watchResource(named: ResourceName, seat: BusSeat, changed: () => void): () => void {
  const ending = new AbortController();
  const { tell, stop } = together(changed);
  void (async () => {
    while (!ending.signal.aborted) {
      // A bus that is away comes back, or the connection ends.
      await seat
        .join(ending.signal)
        .then((bus) => follow(named, bus, tell))
        .catch(() => undefined);
      await delay(AWAY_MS, undefined, { signal: ending.signal }).catch(() => undefined);
    }
  })();
  return () => {
    ending.abort();
    stop();
  };
}
