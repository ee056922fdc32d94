import type { ReplyFields, ReadRequest, WorkerRecord, WorkerView } from "claw-contract";
import { allBudgets, isoTime } from "claw-contract";
import type { BudgetLimit } from "claw-contract";
import type { WorkspaceBudget } from "../../bus/index.ts";
import { listApprovals } from "../supervision/approvals/approvals.ts";
import { budgetViewOf, outerLimits } from "../supervision/budgets/budgets.ts";
import { completionOf } from "../supervision/completion/completion-memory.ts";
import type { Memories } from "../supervision/memories.ts";
import { pickWorkers } from "../supervision/states/states.ts";

type MomentView = NonNullable<ReplyFields<"moment.show">["moment"]>;

/** What a moment shows, apart from its place in the log. */
export type MomentBody = Omit<MomentView, "cursor" | "oldest" | "head">;

/** A state to show. */
export interface MomentState {
  readonly memories: Memories;
  readonly workspace: Pick<WorkspaceBudget, "capUsd" | "spentUsd">;
  readonly perDay: BudgetLimit;
  /** ISO time of the moment. */
  readonly ts: string;
  /** The record of a worker at the moment. */
  readonly recordOf: (peerId: string) => WorkerRecord | undefined;
  readonly viewOf: (record: WorkerRecord) => WorkerView;
}

type Wanted = Pick<ReadRequest<"moment.show">, "fleet" | "endedWithinMs" | "allApprovals" | "records">;

function reportsOf({ memories }: MomentState, listed: ReadonlyMap<string, string>): MomentBody["reports"] {
  return memories.reports.all().flatMap((report) => {
    const { peerId, sequence, result, summary, completed, verified, judged } = report;
    const name = listed.get(peerId);
    if (name === undefined) return [];
    const doubts = [...(completed?.doubts ?? [])];
    const checks = verified === null ? null : [...verified.checks];
    return [{ peerId, name, sequence, completion: completionOf(report), result, summary, doubts, checks, judged }];
  });
}

function alertsOf({ memories }: MomentState, listed: ReadonlyMap<string, string>): MomentBody["alerts"] {
  return memories.trouble.open().flatMap((peerId) => {
    const { open = null, broken = false } = memories.trouble.get(peerId) ?? {};
    const name = listed.get(peerId);
    if (open === null || name === undefined) return [];
    const { trouble, sequence, action, dueMs } = open;
    return [{ peerId, name, trouble, sequence, action, due: dueMs === null ? null : isoTime(dueMs), broken }];
  });
}

/** Shows a state. */
export function showMoment(state: MomentState, { allApprovals, records, ...wanted }: Wanted): MomentBody {
  const { memories, workspace, perDay, ts, recordOf, viewOf } = state;
  const { registry, approvals, budgets } = memories;
  const { ledger, dayOf } = budgets;
  const outer = outerLimits(ts, { ledger, perDay, dayOf, workspace });
  const listing = { workers: memories.workers, recordOf, viewOf, nowMs: Date.parse(ts) };
  const { workers, hidden = 0 } = pickWorkers(listing, wanted);
  const listed = new Map(workers.map((worker) => [worker.peer_id, worker.name]));
  const kept = records ? [...listed.keys()].flatMap((peerId) => memories.workers.get(peerId) ?? []) : undefined;
  return {
    ts,
    workers,
    hidden,
    approvals: listApprovals({ memory: approvals, registry }, allApprovals),
    budgets: allBudgets(ledger, outer).map((each) => budgetViewOf(each, budgets)),
    reports: reportsOf(state, listed),
    alerts: alertsOf(state, listed),
    ...(kept === undefined ? {} : { records: kept.map((record) => ({ ...record })) }),
  };
}
