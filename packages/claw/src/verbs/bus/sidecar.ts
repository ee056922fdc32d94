import { resolve } from "node:path";
import type { EventItem, NoticeItem, Observer } from "claw-client";
import type { VerbInput, VerbItem } from "claw-contract";
import { ClawError } from "claw-contract";
import type { Ports } from "../runtime/handle.ts";
import type { Door } from "./open-bus.ts";
import { doorAt, findDoor, joinAsOrchestrator, READER } from "./open-bus.ts";
import { readTopics } from "./topic-pattern.ts";

type Line = VerbItem<"stream-events">;

const ROLES = ["observer", "orchestrator", "worker"] as const;
type Role = (typeof ROLES)[number];

/** What the sidecar's environment asks for. */
export interface Sidecar {
  readonly door: Door;
  readonly topic: string;
  readonly name: string;
  readonly role: Role;
  /** Correlation id whose end is waited for. */
  readonly waits: string | undefined;
}

function readRole(text: string): Role {
  const role = ROLES.find((known) => known === text);
  if (role !== undefined) return role;
  throw new ClawError(
    "INVALID_FLAG_VALUE",
    `CLAWS_ROLE must be one of ${ROLES.join(", ")}, not '${text.slice(0, 200)}'`,
    {
      operation: "parse_arguments",
      target: "CLAWS_ROLE",
      hint: `Use one of: ${ROLES.join(", ")}.`,
    },
  );
}

/** Reads `CLAWS_SOCKET`, `CLAWS_TOKEN`, `CLAWS_TOPIC`, `CLAWS_PEER_NAME` and `CLAWS_ROLE`; those but the first two not when it waits. */
export function readSidecar({ wait }: VerbInput<"stream-events">, ports: Ports): Sidecar {
  const { CLAWS_SOCKET, CLAWS_TOKEN, CLAWS_TOPIC, CLAWS_PEER_NAME, CLAWS_ROLE } = ports.env;
  const shown = CLAWS_TOKEN ? { bearer: () => CLAWS_TOKEN } : {};
  const waits = wait !== undefined;
  return {
    door: CLAWS_SOCKET ? { ...doorAt(resolve(ports.cwd, CLAWS_SOCKET), ports), ...shown } : findDoor(ports),
    topic: readTopics([CLAWS_TOPIC || "**"], "CLAWS_TOPIC").pattern,
    name: waits ? "wait-mode" : CLAWS_PEER_NAME || "orchestrator-stream",
    role: waits ? "observer" : readRole(CLAWS_ROLE || "observer"),
    waits: wait,
  };
}

export function joinAsSidecar({ door, name, role, waits }: Sidecar, ports: Ports): Promise<Observer> {
  const capabilities = [...READER, "heartbeat"];
  const who = { ...door, name, capabilities, ...(waits === undefined ? {} : { monitors: waits }) };
  return joinAsOrchestrator<Observer>(who, ports, ({ connectObserver, connectOrchestrator, connectWorker }) => {
    if (role === "orchestrator") return connectOrchestrator;
    return role === "worker" ? connectWorker : connectObserver;
  });
}

const now = (): string => new Date().toISOString();

/** A push frame as the sidecar printed it. */
const eventLine = ({ topic, from, payload, storedAtMs, sequence }: EventItem): Line => ({
  type: "event",
  push: "message",
  protocol: "claws/2",
  topic,
  from,
  payload,
  sentAt: storedAtMs,
  sequence,
  recvTs: now(),
});

/** What is not stored has no sequence. */
const noticeLine = ({ topic, from, payload, sentAtMs: sentAt }: NoticeItem): Line => ({
  type: "event",
  push: "message",
  protocol: "claws/2",
  topic,
  from,
  payload,
  sentAt,
  recvTs: now(),
});

/** Lines for all events on a pattern from now on, announced as the sidecar did, until the bus is gone. */
export async function* sidecarLines(
  bus: Observer,
  { door, topic, role }: Sidecar,
  { signal }: Ports,
): AsyncGenerator<Line, void, void> {
  yield { type: "sidecar.connected", socket: door.socket, role, ts: now() };
  yield { type: "sidecar.hello.ack", peerId: bus.peerId(), ts: now() };
  const subscription = bus.subscribe(topic);
  try {
    await subscription.ready();
    yield { type: "sidecar.subscribed", topic, subscriptionId: subscription.id(), ok: true, ts: now() };
    for await (const item of subscription) {
      if (item.kind === "event") yield eventLine(item);
      else if (item.kind === "notice") yield noticeLine(item);
    }
  } catch (error) {
    if (!(error instanceof ClawError) || error.code !== "BUS_UNREACHABLE") throw error;
    yield { type: "sidecar.closed", ts: now() };
  }
  signal.throwIfAborted();
}
