import type { JsonObject } from "claw-contract";
import { FIRST_LIFE, nextLife, nonEmptyText, storedPayload } from "claw-contract";
import type { CommittedEvent } from "../../bus/index.ts";
import { idOf } from "../../bus/index.ts";
import type { RegisteredWorker } from "./worker-registry.ts";

type Change = Partial<RegisteredWorker>;
type KnownWorker = RegisteredWorker | undefined;
type Take = (fields: JsonObject, known: KnownWorker, event: CommittedEvent) => Change | "removed" | undefined;

const inTerminal = (workers: ReadonlyMap<string, RegisteredWorker>, terminalId: string | undefined): string[] =>
  terminalId === undefined
    ? []
    : [...workers.values()].filter((worker) => worker.terminalId === terminalId).map(({ peerId }) => peerId);

/** The workers that an event is about. */
export function subjectsOf(
  { topic, from }: CommittedEvent,
  fields: JsonObject,
  workers: ReadonlyMap<string, RegisteredWorker>,
): readonly string[] {
  const [family, named = ""] = topic.split(".");
  if (family === "worker") return [named];
  if (family === "cmd") return named !== "role" ? [named] : [...workers.keys()];
  if (from !== "server") return [];
  if (topic === "system.terminal.closed") return inTerminal(workers, idOf(fields["terminal_id"]));
  const id = nonEmptyText(family === "vehicle" ? fields["worker_id"] : fields["peerId"]);
  return id === undefined ? [] : [id];
}

const spawned: Take = (_fields, _known, event) => {
  const start = storedPayload(event, "system.worker.spawned");
  if (start === undefined) return undefined;
  return { spawned: start, name: start.name, parentId: start.parent_id, worktree: null, tornDown: false };
};

const peerJoined: Take = (fields, known) => {
  if (fields["role"] !== "worker") return undefined;
  const name = known?.spawned?.name ?? nonEmptyText(fields["peerName"]);
  const terminalId = idOf(fields["terminalId"]);
  return { ...(name === undefined ? {} : { name }), ...(terminalId === undefined ? {} : { terminalId }) };
};

const boot: Take = ({ capabilities, terminal_id: terminal, parent_peer_id: parent }, known) => ({
  capabilities: Array.isArray(capabilities) ? capabilities.filter((each) => typeof each === "string") : [],
  terminalId: idOf(terminal) ?? known?.terminalId ?? null,
  // For a worker started by this daemon, the parent from the start counts, not the parent in the `boot` event.
  parentId: known?.spawned ? known.parentId : (nonEmptyText(parent) ?? known?.parentId ?? null),
});

const booting: Take = (fields, known) => {
  const bootId = known?.spawned?.bootId;
  return fields["to"] === "BOOTING" && bootId !== undefined ? { terminalOf: bootId } : undefined;
};

const TAKES: Readonly<Record<string, Take>> = {
  "system.worker.spawned": spawned,
  "system.worker.removed": () => "removed",
  "system.worker.cleared": (_fields, known) => (known === undefined ? undefined : { worktree: "cleared" }),
  "system.worker.kept": ({ torn_down: tornDown }, known) =>
    known === undefined ? undefined : { worktree: "kept", tornDown: tornDown === true || known.tornDown === true },
  "system.peer.joined": peerJoined,
};

function takeFor(topic: string): Take | undefined {
  if (Object.hasOwn(TAKES, topic)) return TAKES[topic];
  if (topic.startsWith("vehicle.")) return booting;
  return topic.startsWith("worker.") && topic.endsWith(".boot") ? boot : undefined;
}

/**
 * The change that an event makes to a worker; undefined when the event changes no worker. A start, the hello of a
 * worker and a `boot` make a worker known. Any other event about an unknown worker is ignored.
 */
export function changeOf(event: CommittedEvent, fields: JsonObject, known: KnownWorker): ReturnType<Take> {
  const change = takeFor(event.topic)?.(fields, known, event);
  if (change === "removed" || (known === undefined && change === undefined)) return change;
  const before = known?.life ?? FIRST_LIFE;
  const life = nextLife(before, { topic: event.topic, from: event.from, data: fields, sequence: event.sequence });
  return change === undefined && life === before ? undefined : { ...change, life };
}
