import type { JsonObject, Phase, StateSource, WorkerEnd, WorkerState } from "claw-contract";
import {
  endBy,
  endInOwn,
  isPhase,
  laterEnd,
  objectOf,
  STATE_SOURCES,
  stateAfter,
  stringOrNull,
  WORKER_STATES,
} from "claw-contract/client";
import type { EventItem } from "../subscriptions/bus-item.ts";

/** The state of a worker, from the worker's events and from the server's. */
export interface WorkerSummary {
  readonly peerId: string;
  readonly name: string | null;
  readonly model: string | null;
  readonly missionSummary: string | null;
  readonly parentPeerId: string | null;
  readonly phase: Phase | null;
  /** The state the server reports. Without a report, the state is derived from the worker's events. */
  readonly state: WorkerState;
  /**
   * Why the worker is in this state, who reported the state, and since when; null and `self` without a report of the
   * server.
   */
  readonly reason: string | null;
  readonly source: StateSource;
  readonly asOf: string | null;
  /** When the state is expected to end. */
  readonly until: string | null;
  readonly connected: boolean;
  /** `clean`, `crash` or `timeout` once it has left. */
  readonly leftReason: string | null;
  /** The end that the worker's last word reported; null before. */
  readonly end: WorkerEnd | null;
  readonly result: string | null;
  readonly summary: string | null;
  readonly tokensUsed: number;
  readonly costUsd: number;
  /** Sequence of the newest event about each fact, because subscriptions do not arrive in one order. */
  readonly seen: Readonly<Record<string, number>>;
}

export type WorkerSummaries = ReadonlyMap<string, WorkerSummary>;

type Facts = Partial<Omit<WorkerSummary, "peerId" | "seen">>;
const amountOf = (value: unknown): number => (typeof value === "number" ? value : 0);

const UNKNOWN_WORKER: Omit<WorkerSummary, "peerId"> = {
  name: null,
  model: null,
  missionSummary: null,
  parentPeerId: null,
  phase: null,
  state: "starting",
  reason: null,
  source: "self",
  asOf: null,
  until: null,
  connected: true,
  leftReason: null,
  end: null,
  result: null,
  summary: null,
  tokensUsed: 0,
  costUsd: 0,
  seen: {},
};

interface Change {
  readonly peerId: string;
  /** Later changes of the same fact replace earlier ones. */
  readonly fact: string;
  readonly facts: Facts;
}

function ownChange(peerId: string, name: string, event: EventItem): Change | undefined {
  const data = objectOf(event.data);
  const end = endInOwn(name, data);
  const of = (fact: string, facts: Facts): Change => ({ peerId, fact, facts });
  switch (name) {
    case "boot": {
      const { model, mission_summary, parent_peer_id } = data;
      const parentPeerId = stringOrNull(parent_peer_id);
      return of("boot", { parentPeerId, model: stringOrNull(model), missionSummary: stringOrNull(mission_summary) });
    }
    case "phase":
      return isPhase(data["phase"]) ? of("phase", { phase: data["phase"] }) : undefined;
    case "heartbeat":
      return of("usage", { tokensUsed: amountOf(data["tokens_used"]), costUsd: amountOf(data["cost_usd"]) });
    case "complete":
      return of("end", { end, result: stringOrNull(data["result"]), summary: stringOrNull(data["summary"]) });
    case "event":
      return end === null ? undefined : of("end", { end, result: "failed", summary: stringOrNull(data["message"]) });
    default:
      return undefined;
  }
}

/** The state the server reports. The server knows more than the worker's events show. */
function stateChange(peerId: string, data: JsonObject): readonly Change[] {
  const state = WORKER_STATES.find((each) => each === data["state"]);
  if (state === undefined) return [];
  const source = STATE_SOURCES.find((each) => each === data["source"]) ?? "server";
  const [reason, asOf, until] = [
    stringOrNull(data["reason"]),
    stringOrNull(data["as_of"]),
    stringOrNull(data["until"]),
  ];
  return [{ peerId, fact: "state", facts: { state, source, reason, asOf, until } }];
}

function changesOf(event: EventItem): readonly (Change | undefined)[] {
  const [namespace, second, third, fourth] = event.topic.split(".");
  if (namespace === "worker" && second !== undefined && third !== undefined && fourth === undefined) {
    return [ownChange(second, third, event)];
  }
  const data = objectOf(event.data);
  const { peerId, role, peerName, reason } = data;
  if (typeof peerId !== "string" || event.from !== "server") return [];
  if (event.topic === "system.worker.state") return stateChange(peerId, data);
  if (role !== "worker") return [];
  if (event.topic === "system.peer.joined") {
    const presence = { peerId, fact: "presence", facts: { connected: true, leftReason: null } };
    return [{ peerId, fact: "name", facts: { name: stringOrNull(peerName) } }, presence];
  }
  if (event.topic !== "system.peer.left") return [];
  return [{ peerId, fact: "presence", facts: { connected: false, leftReason: stringOrNull(reason) } }];
}

/**
 * The end of the worker's life, as far as its events show; null while the worker lives. A worker that boots again lives
 * anew.
 */
function endOf({ end, phase, connected, seen }: WorkerSummary): WorkerEnd | null {
  const word = (seen["end"] ?? 0) > (seen["boot"] ?? 0) ? end : null;
  const ends = [word, endInOwn("phase", { phase }), connected ? null : endBy("left")];
  return ends.reduce((known, next) => (next === null ? known : laterEnd(known, next)), null);
}

/** The server's reported state wins; a derived state uses the server's words with the server's meaning. */
function stateOf(worker: WorkerSummary): WorkerState {
  if (worker.seen["state"] !== undefined) return worker.state;
  const end = endOf(worker);
  if (end?.isSettled === true) return stateAfter(end);
  return worker.phase === null ? "starting" : "working";
}

function apply(workers: WorkerSummaries, { peerId, fact, facts }: Change, sequence: number): WorkerSummaries {
  const before = workers.get(peerId) ?? { peerId, ...UNKNOWN_WORKER };
  if ((before.seen[fact] ?? 0) >= sequence) return workers;
  const after = { ...before, ...facts, seen: { ...before.seen, [fact]: sequence } };
  return new Map([...workers, [peerId, { ...after, state: stateOf(after) }]]);
}

/** Applies one event to the map. Returns the same map when the event is not about a worker. Pure. */
export function foldWorkers(workers: WorkerSummaries, event: EventItem): WorkerSummaries {
  return changesOf(event).reduce<WorkerSummaries>(
    (folded, change) => (change === undefined ? folded : apply(folded, change, event.sequence)),
    workers,
  );
}
