import type { BusItem, Orchestrator } from "claw-client";
import { LIMITS, objectOf } from "claw-contract";
import { watchBus } from "../../bus/ask-bus.ts";
import { findDoor, joinAsOrchestrator, READER } from "../../bus/open-bus.ts";
import type { Ports } from "../../runtime/handle.ts";
import type { TopMoment } from "./top-list.ts";

/** The connection of `claw top` to the bus, which comes back whenever the daemon does. */
export interface FleetLink {
  readonly bus: Orchestrator;
  /** Tells a listener from now on. One listener. */
  listen(listener: FleetListener): void;
  /** The present moment. Waits for the bus while it is away. */
  look(): Promise<TopMoment | null>;
  close(): Promise<void>;
}

export interface FleetListener {
  /** Called after an event that may change the table. */
  readonly changed: () => void;
  /** Whether the bus is there. */
  readonly linked: (isThere: boolean) => void;
  /** A command got a step further, for example `pause: applied`. */
  readonly stepped: (peerId: string, text: string) => void;
}

/** Topics whose events may change the table. */
const PATTERNS = [
  "worker.*.*",
  "system.worker.*",
  "system.approval.*",
  "system.peer.*",
  "system.budget.*",
  "system.command.*",
];

const STEP = "system.command.";

/** The step of a command that an event tells of. */
function stepIn(item: BusItem): { readonly peerId: string; readonly text: string } | undefined {
  if (item.kind !== "event" || !item.topic.startsWith(STEP)) return undefined;
  const { targetPeerId, cmdTopic, reason } = objectOf(item.data);
  if (typeof targetPeerId !== "string" || typeof cmdTopic !== "string") return undefined;
  const why = typeof reason === "string" ? ` (${reason})` : "";
  return { peerId: targetPeerId, text: `${cmdTopic.split(".")[2] ?? ""}: ${item.topic.slice(STEP.length)}${why}` };
}

/** Joins the bus. Throws when no daemon runs, or when the bus does not let this peer in. */
export async function openFleetLink(
  { fleet }: { readonly fleet: string | undefined },
  ports: Ports,
): Promise<FleetLink> {
  let listener: FleetListener | undefined;
  const door = findDoor(ports);
  // Fails at once when the bus does not let this peer in; the client below always tries again.
  await watchBus(ports, () => Promise.resolve());
  const bus = await joinAsOrchestrator(
    { ...door, capabilities: READER, attempts: Infinity, onStatus: (status) => listener?.linked(status === "open") },
    ports,
    ({ connectOrchestrator }) => connectOrchestrator,
  );
  const subscriptions = PATTERNS.map((pattern) => bus.subscribe(pattern, { own: true }));
  const follow = async (subscription: (typeof subscriptions)[number]): Promise<void> => {
    for await (const item of subscription) {
      const step = stepIn(item);
      if (step !== undefined) listener?.stepped(step.peerId, step.text);
      listener?.changed();
    }
  };
  // The bus ends a subscription only with the client, whose end `look` reports.
  const followed = Promise.all(subscriptions.map(follow)).catch(() => undefined);
  return {
    bus,
    listen: (given) => {
      listener = given;
    },
    look: async () => {
      const wanted = { endedWithinMs: LIMITS.needsShownMs, ...(fleet === undefined ? {} : { fleet }) };
      return (await bus.request("moment.show", wanted)).moment;
    },
    close: async () => {
      await bus.close();
      await followed;
    },
  };
}
