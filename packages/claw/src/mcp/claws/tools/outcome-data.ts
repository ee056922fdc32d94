import type { ReceivedReply, ToolOutput, WorkerOutcome } from "claw-contract";
import { firstChars } from "claw-contract";
import type { OutcomeStatus, WorkersOutcome } from "../../../verbs/index.ts";
import { standingOf } from "../../../verbs/index.ts";

export type OutcomeData = ToolOutput<"claws_wait">;
export type TicketData = ReceivedReply<"ticket.show">;
export type RefusedStart = TicketData["refused"][number];

const SUMMARY_CHARS = 1000;
const DIGEST_SUMMARY_CHARS = 200;

/** Facts about a worker by which a lead decides the next step. */
export function outcomeRow(worker: WorkerOutcome): OutcomeData["workers"][number] {
  const { peer_id: id, name, state, reason, verdict, code, completion, result, summary, checks } = worker;
  const { cost_usd, worktree } = worker;
  return {
    id,
    name,
    state: state ?? "removed",
    reason,
    ...(verdict === "failed" ? { code } : {}),
    completion,
    ...(result === null ? {} : { result }),
    ...(summary === null ? {} : { summary: firstChars(summary, SUMMARY_CHARS) }),
    ...(checks.length === 0 ? {} : { checks }),
    cost_usd,
    ...(worktree === null ? {} : { worktree: worktree.path, branch: worktree.branch }),
  };
}

const refusedRow = ({ name, code, message }: RefusedStart): OutcomeData["workers"][number] => ({
  id: "",
  name: name ?? "",
  state: "not_started",
  reason: message,
  code,
});

/** What a wait found out. Without news, the digest says where the workers stand. */
export function outcomeData(
  { status, workers, news, cursor }: WorkersOutcome,
  { refused = [], notes = [] }: { readonly refused?: readonly RefusedStart[]; readonly notes?: readonly string[] } = {},
): OutcomeData {
  const standing = workers.length === 0 ? "There are no workers." : workers.map(standingOf).join("\n");
  const lines = [...notes, ...news];
  return {
    status: refused.length > 0 && status === "done" ? "failed" : status,
    workers: [...workers.map(outcomeRow), ...refused.map(refusedRow)],
    digest: lines.length === 0 ? standing : lines.join("\n"),
    cursor,
  };
}

const hasFailed = ({ verdict, completion }: WorkerOutcome): boolean =>
  verdict === "failed" || completion === "failed_checks";

function digestOf(worker: WorkerOutcome): string {
  const { name, state, reason, summary, checks, cost_usd: cost } = worker;
  const failed = checks.filter(({ passed }) => !passed);
  const said = firstChars(summary ?? reason, DIGEST_SUMMARY_CHARS);
  const examined =
    checks.length === 0 ? "" : `; checks ${failed.length === 0 ? "passed" : `failed: ${failed[0]?.command ?? ""}`}`;
  return `${name} ${state ?? "was removed"}: ${said}${examined}; $${cost.toFixed(4)}`;
}

/** The result of a ticket that is closed. It is the same whenever it is asked for. */
export function ticketData({ workers, refused, cursor }: TicketData): OutcomeData {
  const status: OutcomeStatus = refused.length > 0 || workers.some(hasFailed) ? "failed" : "done";
  return {
    status,
    workers: [...workers.map(outcomeRow), ...refused.map(refusedRow)],
    digest: [...workers.map(digestOf), ...refused.map(({ message }) => `not started: ${message}`)].join("\n"),
    cursor,
  };
}
