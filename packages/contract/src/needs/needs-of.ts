import type { ReplyFields } from "../wire/wire-types.ts";

type Moment = NonNullable<ReplyFields<"moment.show">["moment"]>;
type Worker = Moment["workers"][number];

/** Kinds of things that a person has to look at, the most urgent first. */
export const NEED_KINDS = ["approval", "question", "alert", "failed_checks", "budget", "report"] as const;
export type NeedKind = (typeof NEED_KINDS)[number];

/** A question, report, failure or alert that waits for a person. */
export interface Need {
  readonly kind: NeedKind;
  /** The worker; null for a budget that is not a worker's. */
  readonly peerId: string | null;
  /** Name of the worker, or what the budget is for. */
  readonly name: string;
  readonly text: string;
  /** ISO time since when it waits. */
  readonly since: string;
  /** ISO time at which something happens without the person; null when nothing does. */
  readonly deadline: string | null;
  readonly approvalId?: string;
}

type Sources = Pick<Moment, "ts" | "workers" | "approvals" | "reports" | "alerts" | "budgets">;

const approvalsIn = ({ approvals }: Sources): Need[] =>
  approvals
    .filter(({ status }) => status === "open")
    .map(({ approvalId, peerId, worker, message, ts, deadline }) => ({
      kind: "approval",
      peerId,
      name: worker,
      text: message,
      since: ts,
      deadline,
      approvalId,
    }));

/** States in which a worker waits for a person, although no approval is open. */
const ASKING: ReadonlySet<Worker["state"]> = new Set(["needs_input", "blocked", "unknown"]);

const questionsIn = ({ workers }: Sources, answerable: ReadonlySet<string>): Need[] =>
  workers
    .filter(({ state, peer_id: id }) => ASKING.has(state) && !answerable.has(id))
    .map(({ peer_id: peerId, name, reason, as_of: since, until }) => ({
      kind: "question",
      peerId,
      name,
      text: reason,
      since,
      deadline: until,
    }));

const TROUBLE_TEXTS: Readonly<Record<Moment["alerts"][number]["trouble"], string>> = {
  stale: "nothing is heard of it",
  hung: "its work comes no further",
  crash: "its process ended before its work",
  failed: "it says that it failed",
};

const alertsIn = ({ alerts, workers, ts }: Sources): Need[] =>
  alerts.map(({ peerId, name, trouble, action, due, broken }) => {
    const worker = workers.find(({ peer_id: id }) => id === peerId);
    const why = worker === undefined || worker.reason === "" ? TROUBLE_TEXTS[trouble] : worker.reason;
    const next = action === "restart" && !broken ? "; it is started again" : "";
    return { kind: "alert", peerId, name, text: `${why}${next}`, since: worker?.as_of ?? ts, deadline: due };
  });

function reportsIn({ reports, workers, ts }: Sources): Need[] {
  return reports.flatMap(({ peerId, name, completion, summary, checks, doubts, result }): Need[] => {
    const worker = workers.find(({ peer_id: id }) => id === peerId);
    const common = { peerId, name, since: worker?.as_of ?? ts, deadline: null };
    const failed = (checks ?? []).filter(({ passed }) => !passed).map(({ command }) => command);
    if (completion === "failed_checks") return [{ ...common, kind: "failed_checks", text: failed.join(", ") }];
    const isOpen = result === "ok" && (completion === "reported" || completion === "verified");
    const doubted = doubts.length === 0 ? "" : ` (doubtful: ${doubts.join(", ")})`;
    return isOpen ? [{ ...common, kind: "report", text: `${summary}${doubted}` }] : [];
  });
}

const budgetsIn = ({ budgets, workers, ts }: Sources): Need[] =>
  budgets
    .filter(({ exceeded }) => exceeded.length > 0)
    .map(({ scope, id, exceeded, since = ts }) => {
      const owner = (id ?? "").split("#")[0] ?? "";
      const worker = workers.find(({ peer_id: peerId }) => peerId === owner);
      const name = worker?.name ?? (owner === "" ? scope : owner);
      const text = `the budget is reached: ${exceeded.join(" and ")}`;
      return { kind: "budget", peerId: worker?.peer_id ?? null, name, text, since, deadline: null };
    });

/** Earlier deadlines first, then what waits longer. Times in this form sort as texts. */
const LAST = "9999";
const compareTimes = (left: Need, right: Need): number =>
  compareTexts(left.deadline ?? LAST, right.deadline ?? LAST) || compareTexts(left.since, right.since);

function compareTexts(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Everything in a moment that waits for a person, the most urgent first. Every surface shows this list. */
export function needsOf(moment: Sources): readonly Need[] {
  const asked = approvalsIn(moment);
  const troubled = alertsIn(moment);
  const known = new Set([...asked, ...troubled].flatMap(({ peerId }) => peerId ?? []));
  const all = [...asked, ...questionsIn(moment, known), ...troubled, ...reportsIn(moment), ...budgetsIn(moment)];
  const rank = ({ kind }: Need): number => NEED_KINDS.indexOf(kind);
  return all.toSorted((left, right) => rank(left) - rank(right) || compareTimes(left, right));
}
