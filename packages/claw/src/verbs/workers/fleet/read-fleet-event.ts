import type { EventItem } from "claw-client";
import type { FleetFact, FleetProgress, JsonObject } from "claw-contract";
import { objectOf, textOf, WORKER_STATES } from "claw-contract";

/** A start: the first of a worker of ours, or another of one that is known. */
function spawnedFact(
  { members }: FleetProgress,
  fleet: string,
  fields: JsonObject,
  peerId: string,
): FleetFact | undefined {
  if (members.some((member) => member.peerId === peerId)) return { kind: "spawned", peerId };
  const name = textOf(fields["name"]);
  const isOurs = fields["fleet"] === fleet && members.some((member) => member.name === name);
  return isOurs ? { kind: "started", name, peerId, adopted: false } : undefined;
}

function completedFact(fields: JsonObject, peerId: string): FleetFact | undefined {
  const { result } = fields;
  if (result !== "ok" && result !== "failed" && result !== "cancelled") return undefined;
  return { kind: "completed", peerId, result, summary: textOf(fields["summary"]) };
}

function stateFact(fields: JsonObject, peerId: string): FleetFact | undefined {
  const state = WORKER_STATES.find((each) => each === fields["state"]);
  return state === undefined ? undefined : { kind: "state", peerId, state, reason: textOf(fields["reason"]) };
}

/** What an event says of a fleet; undefined when nothing. */
export function readFleetEvent(item: EventItem, progress: FleetProgress, fleet: string): FleetFact | undefined {
  const { topic, from } = item;
  const fields = objectOf(item.data);
  if (topic.startsWith("cmd.")) return { kind: "given_up", peerId: topic.split(".")[1] ?? "" };
  const peerId = textOf(fields["peerId"]);
  if (from !== "server" || peerId === "") return undefined;
  switch (topic) {
    case "system.worker.spawned":
      return spawnedFact(progress, fleet, fields, peerId);
    case "system.worker.state":
      return stateFact(fields, peerId);
    case "system.worker.completed":
      return completedFact(fields, peerId);
    case "system.worker.verified":
      return { kind: "verified", peerId, passed: fields["passed"] === true };
    case "system.worker.accepted":
      return { kind: "accepted", peerId };
    case "system.worker.rework":
      return { kind: "rework", peerId };
    case "system.worker.alert":
      return fields["action"] === "alert" ? { kind: "given_up", peerId } : undefined;
    default:
      return undefined;
  }
}
