import { objectOf } from "claw-contract";
import type { EventItem } from "claw-client";
import { DEMO_CAST, DEMO_VICTIM } from "./demo-cast.ts";

/** The state of a worker of the demonstration. */
export interface DemoWorker {
  readonly name: string;
  readonly peer_id: string;
  readonly state: string;
  readonly completion: string | null;
  readonly attempts: number;
  readonly cost_usd: number;
}

/** The state of the demonstration, derived from the events. */
export interface DemoStory {
  spawned(name: string, peerId: string): void;
  take(item: EventItem): void;
  nameOf(this: void, peerId: string): string;
  pidOf(name: string): number | null;
  /** True once: when the worker that is to be killed has written its file. */
  isTimeToKill(): boolean;
  /** Whether the checks of all workers have ended, or a failure ends the demonstration early. */
  isOver(): boolean;
  failed(this: void, error: unknown): void;
  problem(): string | null;
  workers(): readonly DemoWorker[];
  events(): number;
}

const newDemoWorker = (name: string, peer_id: string): DemoWorker => ({
  name,
  peer_id,
  state: "starting",
  completion: null,
  attempts: 0,
  cost_usd: 0,
});

/** The fields of a worker that an event changes. */
function changeOf({ topic, data }: EventItem): Partial<DemoWorker> {
  const { state, passed, attempt, cost_usd: cost, total_cost_usd: total } = objectOf(data);
  if (topic === "system.worker.state") return { state: String(state) };
  if (topic === "system.worker.spawned") return { attempts: Number(attempt) };
  if (topic === "system.worker.completed") return { completion: "reported" };
  if (topic === "system.worker.verified") return { completion: passed === true ? "verified" : "failed_checks" };
  const spent = topic.endsWith(".complete") ? total : topic.endsWith(".heartbeat") ? cost : undefined;
  return typeof spent === "number" ? { cost_usd: spent } : {};
}

/** Whether an event says that a worker's approval was rejected or has expired. */
const isRefusal = ({ topic, data }: EventItem): boolean =>
  topic === "system.approval.expired" ||
  (topic === "system.approval.answered" && objectOf(data)["decision"] === "reject");

/** Whether an event says that the tool has ended after which the process is killed. */
function saysWritten({ topic, data }: EventItem): boolean {
  const { signal, detail } = objectOf(data);
  return topic.endsWith(".signal") && signal === "tool_ended" && detail === DEMO_VICTIM.after;
}

const isDone = ({ completion }: DemoWorker): boolean => completion === "verified" || completion === "failed_checks";

export function createStory(): DemoStory {
  const workers = new Map<string, DemoWorker>();
  const pids = new Map<string, number>();
  let events = 0;
  let killed = false;
  let mayKill = false;
  let failure: string | null = null;
  const refused = new Set<string>();
  const nameOf = (peerId: string): string => workers.get(peerId)?.name ?? peerId;
  const list = (): DemoWorker[] => [...workers.values()];
  return {
    spawned: (name, id) => void workers.set(id, { ...(workers.get(id) ?? newDemoWorker(name, id)), name }),
    nameOf,
    take: (item) => {
      events += 1;
      const fields = objectOf(item.data);
      const named = item.topic.startsWith("worker.") ? item.topic.split(".")[1] : fields["peerId"];
      if (typeof named !== "string" || named === "") return;
      const { name, pid } = fields;
      if (fields["trouble"] === "crash_loop") failure ??= `${nameOf(named)} crashed again and again`;
      const isSpawn = item.topic === "system.worker.spawned";
      const known = workers.get(named);
      if (known === undefined && !isSpawn) return;
      const worker = { ...(known ?? newDemoWorker(String(name), named)), ...changeOf(item) };
      workers.set(named, worker);
      if (isSpawn && typeof pid === "number") pids.set(worker.name, pid);
      if (isRefusal(item)) refused.add(named);
      mayKill ||= worker.name === DEMO_VICTIM.name && saysWritten(item);
    },
    pidOf: (name) => pids.get(name) ?? null,
    isTimeToKill: () => {
      if (!mayKill || killed) return false;
      killed = true;
      return true;
    },
    isOver: () => failure !== null || (workers.size === DEMO_CAST.length && list().every(isDone)),
    failed: (error) => {
      failure ??= error instanceof Error ? error.message : String(error);
    },
    problem: () => failure ?? problemOf(list().filter(({ peer_id: id }) => !refused.has(id))),
    workers: list,
    events: () => events,
  };
}

function problemOf(workers: readonly DemoWorker[]): string | null {
  const bad = workers.find(({ completion }) => completion !== "verified");
  return bad === undefined ? null : `${bad.name} ended as ${bad.completion ?? bad.state}`;
}
