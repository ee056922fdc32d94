import type { BusEvent } from "claw-contract/schemas";
import type { Admission } from "../access/admission.ts";
import type { Server } from "../server.ts";
import type { Knowledge } from "../state/knowledge.ts";
import type { PublishShelf } from "./publishing.ts";
import type { Store } from "./store-event.ts";
import type { Extensions, GatedEvent } from "../extension/extension.ts";
import type { Peer, WorkerProgress } from "../peers/peer.ts";
import { speakerOf } from "../peers/peer.ts";
import { fieldsOf } from "../wire/read-payload.ts";
import { publishSystem } from "./store-event.ts";
import { decideWorkerEvent } from "./worker-gate.ts";

export interface Passed {
  readonly kind: "passed";
  /** Must be called with whether the event was stored. If not, the gates undo their changes. */
  readonly settle: (stored: boolean) => void;
}

export type Gated =
  | { readonly kind: "refused"; readonly error: string; readonly more?: Readonly<Record<string, unknown>> }
  | Passed;

/** The event passes, and the gate has nothing to undo. */
export const PASSED: Passed = { kind: "passed", settle: () => undefined };

/** Two gates that let an event pass. Most gates have nothing to undo, and then no object is made. */
export function bothPassed(first: Passed, second: Passed): Passed {
  if (first === PASSED) return second;
  if (second === PASSED) return first;
  return {
    kind: "passed",
    settle: (stored) => {
      first.settle(stored);
      second.settle(stored);
    },
  };
}

/** Shelves that decide whether an action may spend money, and publish a refusal. */
export interface SpendingShelves extends Store, Pick<Knowledge, "state"> {
  readonly extensions: Extensions;
}

/** Shelves that the gates read and change. */
export interface Gatekeeping
  extends SpendingShelves, Pick<PublishShelf, "rates">, Pick<Admission, "access">, Pick<Server, "now" | "policy"> {}

type RatedPeer = Pick<Peer, "id" | "connection">;

/** Takes one from the rate of a peer on a topic, and from its total. */
export function passRate(
  context: Pick<Gatekeeping, "rates" | "access" | "now">,
  peer: RatedPeer,
  topic: string,
): Gated {
  const limit = context.rates.of(peer.id, topic, () => context.access.originOf(peer.connection));
  const taken = limit.take(context.now());
  if (!taken.ok) return { kind: "refused", error: "rate-limit-exceeded", more: { retry_after_ms: taken.retryAfterMs } };
  return { kind: "passed", settle: (stored) => void (stored || limit.giveBack()) };
}

/** Actions that make workers spend money. Actions that stop workers pass at any cost. */
const SPENDING: ReadonlySet<unknown> = new Set(["spawn", "task.assign", "resume", "approve", "inject_text"]);

const usd = (amount: number): string => `$${amount.toFixed(2)}`;

function capReason({ state: { budget } }: SpendingShelves): string | undefined {
  const { capUsd } = budget.limits;
  if (capUsd === undefined || budget.spentUsd() < capUsd) return undefined;
  return `budget: ${usd(budget.spentUsd())} spent, the cap is ${usd(capUsd)}`;
}

/**
 * The refusal of an action that would spend beyond the cap, or beyond a limit of the peer it is for; undefined when it
 * may go on.
 */
export function overCap(
  context: SpendingShelves,
  peer: Pick<Peer, "id">,
  action: unknown,
  target?: string,
): string | undefined {
  if (!SPENDING.has(action)) return undefined;
  const reason = capReason(context) ?? context.extensions.overBudget(target);
  if (reason === undefined) return undefined;
  publishSystem(context, "system.gate.fired", { tool: String(action), reason, peerId: peer.id });
  return reason;
}

/** The action of a command topic; for a role's topic it stands in the payload. */
export function actionOf(topic: string, payload: unknown): unknown {
  const [family, target, action] = topic.split(".");
  if (family !== "cmd") return undefined;
  return target === "role" ? fieldsOf(payload)["command"] : action;
}

/** The peer that a command topic is for; undefined for a role's. */
export function targetOf(topic: string): string | undefined {
  const [, target] = topic.split(".");
  return target === "role" ? undefined : target;
}

const WORKER = "worker.";

/** Whether the topic's segment after `worker` is the name. */
const isAbout = (topic: string, name: string): boolean =>
  topic.startsWith(name, WORKER.length) && topic[WORKER.length + name.length] === ".";

const isOwn = (peer: Peer, topic: string): boolean =>
  topic.startsWith(WORKER) &&
  (isAbout(topic, speakerOf(peer)) || (peer.alias !== undefined && isAbout(topic, peer.alias)));

/** The state of a worker, including its events that are still being stored. */
export const knownWorker = (context: Pick<Knowledge, "state">, peer: Peer): WorkerProgress =>
  peer.moving > 0 ? peer.worker : context.state.workers.of(peer.alias ?? speakerOf(peer));

/**
 * Checks an event against the order of the worker's lifecycle. The worker's state changes as soon as the event passes,
 * before the event is stored.
 */
function passOrder(context: Gatekeeping, peer: Peer, event: BusEvent): Gated {
  const known = knownWorker(context, peer);
  const decision = decideWorkerEvent(known, event);
  if (decision.kind === "refused") {
    const { reason } = decision;
    publishSystem(context, "system.gate.fired", { tool: "publish", reason, peerId: peer.id, topic: event.topic });
    if (context.policy === "strict") return { kind: "refused", error: `gate: ${reason}` };
  }
  if (decision.worker === known) return PASSED;
  peer.booted ||= event.schema === "worker-boot-v1";
  peer.worker = decision.worker;
  peer.moving += 1;
  return {
    kind: "passed",
    settle: (stored) => {
      peer.moving -= 1;
      if (!stored || peer.moving === 0) peer.worker = context.state.workers.of(peer.alias ?? speakerOf(peer));
    },
  };
}

/** Rate, cost and order, for an event of a known schema. */
export function passGates(context: Gatekeeping, peer: Peer, event: BusEvent): Gated {
  const rate = passRate(context, peer, event.topic);
  if (rate.kind === "refused") return rate;
  const { topic, data } = event;
  const capped = topic.startsWith("cmd.") ? overCap(context, peer, actionOf(topic, data), targetOf(topic)) : undefined;
  if (capped !== undefined) return { kind: "refused", error: capped };
  const order = isOwn(peer, event.topic) ? passOrder(context, peer, event) : PASSED;
  if (order.kind === "refused") return order;
  return passAdded(context, peer, event, bothPassed(rate, order));
}

/** Asks the extensions' gates last. `passed` are the gates that let the event pass before. */
function passAdded(context: Gatekeeping, peer: Peer, event: GatedEvent, passed: Passed): Gated {
  const added = context.extensions.gate(peer, event);
  if (added.kind === "passed") return bothPassed(passed, added);
  passed.settle(false);
  return added;
}

/** Gates for an event without a schema. The extensions' gates are asked when the event is a command. */
export function passOther(context: Gatekeeping, peer: Peer, topic: string, payload: unknown): Gated {
  const rate = passRate(context, peer, topic);
  if (rate.kind === "refused" || !topic.startsWith("cmd.")) return rate;
  return passAdded(context, peer, { topic, schema: null, data: payload }, rate);
}
