import type { WorkerSpawned } from "@claw/contract/schemas";
import type { CommittedEvent } from "../../bus/index.ts";
import { idOf, textOf } from "../../bus/index.ts";
import type { FleetWorker } from "./fleet.ts";

type Fields = Readonly<Record<string, unknown>>;
type Change = Partial<FleetWorker>;
type Take = (fields: Fields, known: FleetWorker | undefined) => Change | "removed" | undefined;

/** The workers that an event is about; `all` are the known workers. */
export function subjectsOf({ topic, from }: CommittedEvent, fields: Fields, all: readonly string[]): readonly string[] {
  const [family, named = ""] = topic.split(".");
  if (family === "worker") return [named];
  if (family === "cmd") return named !== "role" ? [named] : fields["command"] === "abort" ? all : [];
  const id = textOf(family === "vehicle" ? fields["worker_id"] : fields["peerId"]);
  return id === undefined || from !== "server" ? [] : [id];
}

const spawned: Take = (fields) => {
  const start = fields as unknown as WorkerSpawned;
  const life = { crashed: false, stopping: false, ended: false, worktree: null, tornDown: false };
  return { spawned: start, name: start.name, parentId: start.parent_id, ...life };
};

const joined: Take = (fields, known) => {
  if (fields["role"] !== "worker") return undefined;
  const name = known?.spawned?.name ?? textOf(fields["peerName"]);
  const terminalId = idOf(fields["terminalId"]);
  return { ...(name === undefined ? {} : { name }), ...(terminalId === undefined ? {} : { terminalId }) };
};

const boot: Take = ({ capabilities, terminal_id: terminal, parent_peer_id: parent }, known) => ({
  capabilities: Array.isArray(capabilities) ? capabilities.filter((each) => typeof each === "string") : [],
  terminalId: idOf(terminal) ?? known?.terminalId ?? null,
  // For a worker started by this daemon, the parent from the start counts, not the parent in the `boot` event.
  parentId: known?.spawned ? known.parentId : (textOf(parent) ?? known?.parentId ?? null),
});

const booting: Take = (fields, known) => {
  const bootId = known?.spawned?.bootId;
  return fields["to"] === "BOOTING" && bootId !== undefined ? { terminalOf: bootId } : undefined;
};

const terminated: Take = (fields, known) => {
  if (known === undefined) return undefined;
  if (fields["expected"] === true) return { ended: true };
  return fields["expected"] === false ? { crashed: true, ended: known.ended || known.stopping === true } : undefined;
};

/** After this alert only a person can act: a worker without a process counts as ended. */
const alerted: Take = (fields, known) =>
  known?.crashed === true && fields["action"] === "alert" ? { ended: true } : undefined;

const aborted: Take = (_fields, known) =>
  known === undefined ? undefined : known.crashed === true ? { ended: true } : { stopping: true };

const TAKES: Readonly<Record<string, Take>> = {
  "system.worker.spawned": spawned,
  "system.worker.terminated": terminated,
  "system.worker.alert": alerted,
  "system.worker.removed": () => "removed",
  "system.worker.cleared": (_fields, known) => (known === undefined ? undefined : { worktree: "cleared" }),
  "system.worker.kept": ({ torn_down: tornDown }, known) =>
    known === undefined ? undefined : { worktree: "kept", tornDown: tornDown === true || known.tornDown === true },
  "system.peer.joined": joined,
};

/** The change that an event makes to a worker; undefined when the event changes no worker. */
export function changeOf(topic: string, fields: Fields, known: FleetWorker | undefined): ReturnType<Take> {
  const take = Object.hasOwn(TAKES, topic) ? TAKES[topic] : undefined;
  if (take !== undefined) return take(fields, known);
  if (topic.startsWith("vehicle.")) return booting(fields, known);
  if (topic.startsWith("cmd.")) return aborted(fields, known);
  if (topic.endsWith(".boot")) return boot(fields, known);
  return known === undefined ? undefined : { ended: true };
}
