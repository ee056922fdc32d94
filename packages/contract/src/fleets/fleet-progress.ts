import type { WorkerState } from "../workers/worker-words.ts";

export const FLEET_STATUSES = ["waiting", "starting", "running", "done", "failed", "skipped"] as const;
export type FleetStatus = (typeof FLEET_STATUSES)[number];

/** One worker of a fleet and the worker's progress. */
export interface FleetMember {
  readonly name: string;
  readonly needs: readonly string[];
  readonly checked: boolean;
  readonly status: FleetStatus;
  readonly peerId: string | null;
  /** Whether the worker was started by an earlier call and is used again. */
  readonly adopted: boolean;
  readonly state: WorkerState | null;
  readonly result: "ok" | "failed" | "cancelled" | null;
  /** Whether the worker's checks passed; null before the checks ran. */
  readonly verified: boolean | null;
  readonly accepted: boolean;
  /** Whether claw will not restart the worker any more. */
  readonly given: boolean;
  readonly reason: string;
}

export interface FleetProgress {
  readonly members: readonly FleetMember[];
  readonly concurrency: number;
  /** True: a failure stops only the workers that need the failed worker. False: a failure stops all later starts. */
  readonly keepGoing: boolean;
}

export type FleetFact =
  | { readonly kind: "starting"; readonly name: string }
  | { readonly kind: "started"; readonly name: string; readonly peerId: string; readonly adopted: boolean }
  | { readonly kind: "not_started"; readonly name: string; readonly reason: string }
  | { readonly kind: "spawned"; readonly peerId: string }
  | { readonly kind: "state"; readonly peerId: string; readonly state: WorkerState; readonly reason: string }
  | {
      readonly kind: "completed";
      readonly peerId: string;
      readonly result: NonNullable<FleetMember["result"]>;
      readonly summary: string;
    }
  | { readonly kind: "verified"; readonly peerId: string; readonly passed: boolean }
  | { readonly kind: "accepted"; readonly peerId: string }
  | { readonly kind: "rework"; readonly peerId: string }
  /** Claw will not restart the worker: a person was called, or the worker was told to end. */
  | { readonly kind: "given_up"; readonly peerId: string };

export function planFleet(
  workers: readonly { readonly name: string; readonly needs: readonly string[]; readonly checked: boolean }[],
  options: Pick<FleetProgress, "concurrency" | "keepGoing">,
): FleetProgress {
  const blank = { status: "waiting", peerId: null, adopted: false, state: null, result: null, verified: null } as const;
  const members = workers.map((each) => ({ ...each, ...blank, accepted: false, given: false, reason: "" }));
  return { ...options, members };
}

function statusOf(member: FleetMember): FleetStatus {
  const { state, result, verified, accepted, checked, given } = member;
  if (accepted) return "done";
  if (verified === false || result === "failed" || result === "cancelled") return "failed";
  if (result === "ok" || state === "finished") return checked && verified !== true ? "running" : "done";
  if (state === "aborted") return "failed";
  return (state === "failed" || state === "gone") && given ? "failed" : "running";
}

const AGAIN = { state: null, result: null, verified: null, accepted: false, given: false } as const;

/** Fields of the worker that a fact changes. */
function changeOf(fact: FleetFact): Partial<FleetMember> {
  switch (fact.kind) {
    case "started":
      return { peerId: fact.peerId, adopted: fact.adopted, reason: "" };
    case "state":
      return { state: fact.state, reason: fact.reason };
    case "completed":
      return { result: fact.result, reason: fact.summary };
    case "verified":
      return fact.passed ? { verified: true } : { verified: false, reason: "its checks failed" };
    case "accepted":
      return { accepted: true };
    case "spawned":
    case "rework":
      return AGAIN;
    case "given_up":
      return { given: true };
    case "starting":
    case "not_started":
      return {};
  }
}

const isAbout = (member: FleetMember, fact: FleetFact): boolean =>
  "name" in fact ? member.name === fact.name : member.peerId !== null && member.peerId === fact.peerId;

function tell(member: FleetMember, fact: FleetFact): FleetMember {
  if (!isAbout(member, fact)) return member;
  if (fact.kind === "starting") return { ...member, status: "starting" };
  if (fact.kind === "not_started") return { ...member, status: "failed", reason: fact.reason };
  const changed = { ...member, ...changeOf(fact) };
  return { ...changed, status: statusOf(changed) };
}

/**
 * Marks waiting workers that can never start as skipped, with the reason. Repeats until the workers that need a skipped
 * worker are marked too.
 */
function skip(members: readonly FleetMember[], keepGoing: boolean): readonly FleetMember[] {
  const byName = new Map(members.map((member) => [member.name, member]));
  const lost = (name: string): boolean => ["failed", "skipped"].includes(byName.get(name)?.status ?? "failed");
  const failed = members.find(({ status }) => status === "failed");
  const next = members.map((member): FleetMember => {
    if (member.status !== "waiting") return member;
    const need = member.needs.find(lost);
    if (need !== undefined) {
      const what = byName.get(need)?.status === "failed" ? "failed" : "was skipped";
      return { ...member, status: "skipped", reason: `it needs ${need}, which ${what}` };
    }
    if (keepGoing || failed === undefined) return member;
    return { ...member, status: "skipped", reason: `${failed.name} failed before` };
  });
  return next.some((member, index) => member !== members[index]) ? skip(next, keepGoing) : members;
}

/** The progress of a fleet after one fact. Pure. */
export function advanceFleet(progress: FleetProgress, fact: FleetFact): FleetProgress {
  const members = progress.members.map((member) => tell(member, fact));
  return { ...progress, members: skip(members, progress.keepGoing) };
}

const ACTIVE: ReadonlySet<FleetStatus> = new Set(["starting", "running"]);

/** Names of the workers that may start now, in the order of the file. */
export function nextStarts({ members, concurrency }: FleetProgress): readonly string[] {
  const done = new Set(members.filter(({ status }) => status === "done").map(({ name }) => name));
  const room = concurrency - members.filter(({ status }) => ACTIVE.has(status)).length;
  const ready = members.filter(({ status, needs }) => status === "waiting" && needs.every((need) => done.has(need)));
  return ready.slice(0, Math.max(0, room)).map(({ name }) => name);
}

/** Whether every worker of the fleet is done, failed or skipped. */
export const isFleetOver = ({ members }: FleetProgress): boolean =>
  members.every(({ status }) => status !== "waiting" && !ACTIVE.has(status));
