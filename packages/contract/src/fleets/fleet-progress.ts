import type { WorkerState } from "../worker-words.ts";

export const FLEET_STATUSES = ["waiting", "starting", "running", "done", "failed", "skipped"] as const;
export type FleetStatus = (typeof FLEET_STATUSES)[number];

/** One worker of a fleet, and what is known of it. */
export interface FleetMember {
  readonly name: string;
  readonly needs: readonly string[];
  readonly checked: boolean;
  readonly status: FleetStatus;
  readonly peerId: string | null;
  /** Whether it was there before. */
  readonly adopted: boolean;
  readonly state: WorkerState | null;
  readonly result: "ok" | "failed" | "cancelled" | null;
  /** Whether its checks passed, once they were run. */
  readonly verified: boolean | null;
  readonly accepted: boolean;
  /** Whether nobody will start it anew by himself. */
  readonly given: boolean;
  readonly reason: string;
}

export interface FleetProgress {
  readonly members: readonly FleetMember[];
  readonly concurrency: number;
  /** Whether a failure keeps only those from starting who need what failed. */
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
  /** Nobody starts it anew: a person was called, or it was told to end. */
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

/** What a fact changes of the worker it is about. */
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

/** Those who wait and will never start, and why: once for each, those who need them too. */
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

/** What is known of a fleet after something happened. Pure. */
export function advanceFleet(progress: FleetProgress, fact: FleetFact): FleetProgress {
  const members = progress.members.map((member) => tell(member, fact));
  return { ...progress, members: skip(members, progress.keepGoing) };
}

const ACTIVE: ReadonlySet<FleetStatus> = new Set(["starting", "running"]);

/** Those who may start now, in the order of the file. */
export function nextStarts({ members, concurrency }: FleetProgress): readonly string[] {
  const done = new Set(members.filter(({ status }) => status === "done").map(({ name }) => name));
  const room = concurrency - members.filter(({ status }) => ACTIVE.has(status)).length;
  const ready = members.filter(({ status, needs }) => status === "waiting" && needs.every((need) => done.has(need)));
  return ready.slice(0, Math.max(0, room)).map(({ name }) => name);
}

/** Whether nothing more will happen by itself. */
export const isFleetOver = ({ members }: FleetProgress): boolean =>
  members.every(({ status }) => status !== "waiting" && !ACTIVE.has(status));
