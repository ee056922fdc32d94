import type { ApprovalRule, ApprovalAnswer, ApprovalRecord, ApprovalView, Immutable } from "claw-contract";
import { createRedactor, environmentSecrets, chooseOption, LIMITS } from "claw-contract";
import type { BusExtension, BusHost, Done, RequestHandler, PeerRequest } from "../../../bus/index.ts";
import type { WorkerRegistry } from "../../worker-registry/worker-registry.ts";
import { createApprovalDecisions } from "./approval-decisions.ts";
import { passApproval, approvalNotFound } from "./approval-gate.ts";
import { createApprovalMemory } from "./approval-memory.ts";
import { error, handlePeers, ok, storageCode, WRITE_FAILED } from "../../../bus/index.ts";
import type { ApprovalDecisions } from "./approval-decisions.ts";
import type { ApprovalMemory, Lives } from "./approval-memory.ts";

interface RequestDeps {
  readonly host: BusHost;
  readonly memory: ApprovalMemory;
  readonly decisions: ApprovalDecisions;
  readonly registry: Pick<WorkerRegistry, "get">;
}

/** An approval as replies show it to every peer. */
function viewOf({ opened, outcome }: ApprovalRecord, registry: RequestDeps["registry"]): ApprovalView {
  const worker = registry.get(opened.peerId);
  const status = outcome === null ? "open" : outcome.kind;
  return { ...opened, worker: worker?.name ?? opened.peerId, status, outcome };
}

/** Open approvals, with `all` also closed approvals, oldest first. Beyond the size limit, subjects are left out. */
export function listApprovals(
  { memory, registry }: Pick<RequestDeps, "memory" | "registry">,
  isAll: boolean,
): Immutable<ApprovalView>[] {
  let room: number = LIMITS.approvalListChars;
  return (isAll ? memory.all() : memory.open()).map((record) => {
    const view = viewOf(record, registry);
    room -= JSON.stringify(view).length;
    return room >= 0 ? view : { ...view, subject: { left_out: true }, cut: true };
  });
}

/** The first valid answer counts; the same peer may give the same answer again. */
function answerApproval(
  { host, memory, decisions, registry }: RequestDeps,
  { peer, request }: Pick<PeerRequest<"approval.answer">, "peer" | "request">,
  done: Done<"approval.answer">,
): void {
  const { approvalId, decision, chosen } = request;
  const record = memory.get(approvalId);
  if (record === undefined) return done(error(approvalNotFound(approvalId).error, approvalNotFound(approvalId).more));
  if (isRepeated(record, { by: peer.id, decision, chosen })) {
    return done(ok({ approval: viewOf(record, registry), duplicate: true }));
  }
  const refusal = refuseOther(record, request.hash) ?? decisions.refuse(record);
  if (refusal !== undefined) return done(error(refusal.error, refusal.more));
  const choice = chooseOption({ ...record.opened, decision, chosen });
  if (choice.kind !== "chosen") return done(error(choice.reason, { code: "PUBLISH_INVALID" }));
  const capped = decision === "approve" ? host.budget.refuse(peer.id, "approve", record.opened.peerId) : undefined;
  if (capped !== undefined) return done(error(capped, { code: "BUDGET_EXCEEDED" }));
  const reason = request.reason?.slice(0, LIMITS.approvalMessageChars) ?? null;
  const answered: ApprovalAnswer = {
    decision,
    chosen: choice.chosen,
    reason,
    by: peer.id,
    rule: null,
    ts: host.timestamp(),
  };
  return decisions.answer(record, answered, (failure) => {
    if (failure !== undefined) return done(error(WRITE_FAILED, storageCode(failure)));
    const stored = memory.get(approvalId) ?? record;
    // In a cluster, another daemon may have decided first.
    const lost = isAnswerOf(stored, answered) ? undefined : decisions.refuse(stored);
    return done(
      lost === undefined ? ok({ approval: viewOf(stored, registry), duplicate: false }) : error(lost.error, lost.more),
    );
  });
}

/** Whether an approval was decided by this answer. */
const isAnswerOf = ({ outcome }: ApprovalRecord, { by, decision, ts }: ApprovalAnswer): boolean =>
  outcome?.kind === "answered" && outcome.by === by && outcome.decision === decision && outcome.ts === ts;

/** Refuses an answer to another question than the one that was shown. */
function refuseOther({ opened: { approvalId, hash } }: ApprovalRecord, shown: string | undefined) {
  if (shown === undefined || shown === hash) return undefined;
  const more = { code: "APPROVAL_CHANGED", details: { changed_to: approvalId } } as const;
  return { error: `${approvalId} asks something else than what was shown`, more };
}

function isRepeated(
  { outcome }: ApprovalRecord,
  { by, decision, chosen }: { by: string; decision: string; chosen: string | undefined },
): boolean {
  if (outcome?.kind !== "answered" || outcome.by !== by || outcome.decision !== decision) return false;
  return chosen === undefined || chosen === outcome.chosen;
}

const approvalRequests = (deps: RequestDeps): readonly RequestHandler[] => [
  handlePeers("approval.list", ({ request }, done) => done(ok({ approvals: listApprovals(deps, request.all) }))),
  handlePeers("approval.answer", (call, done) => answerApproval(deps, call, done)),
];

export interface ApprovalOptions {
  readonly registry: Pick<WorkerRegistry, "get" | "lifeOf" | "changesBy">;
  /** Rules by which the user answers approvals beforehand. */
  readonly rules?: readonly ApprovalRule[];
  /** Environment whose secrets are masked in approvals. */
  readonly env?: NodeJS.ProcessEnv;
  readonly memory?: ApprovalMemory;
}

/** Approvals whose secrets are masked. */
export const maskedApprovals = (env: NodeJS.ProcessEnv, registry: Lives): ApprovalMemory =>
  createApprovalMemory(createRedactor({ secrets: environmentSecrets(env) }), registry);

/** The approvals of all workers. */
export interface Approvals {
  readonly extension: BusExtension;
  /** The open approvals of a worker, oldest first. */
  openOf(peerId: string): readonly Immutable<ApprovalView>[];
  get(approvalId: string): Immutable<ApprovalView> | undefined;
  /** Answers an approval for a peer, as the request `approval.answer` does. */
  answer(call: Pick<PeerRequest<"approval.answer">, "peer" | "request">, done: Done<"approval.answer">): void;
}

/** Turns workers' questions into approvals, and accepts only one answer for each approval. */
export function createApprovals(host: BusHost, options: ApprovalOptions): Approvals {
  const { registry, rules = [], env = {}, memory = maskedApprovals(env, registry) } = options;
  const { budget } = host;
  const isCapped = (): boolean => budget.spentUsd() >= (budget.capUsd ?? Infinity);
  const decisions = createApprovalDecisions(host, { memory, rules, registry, isCapped });
  const deps: RequestDeps = { host, memory, decisions, registry };
  const extension: BusExtension = {
    name: "approvals",
    memory: memory.projection,
    requests: approvalRequests(deps),
    peerOf: (kind, named) => (kind === "approval" ? memory.get(named)?.opened.peerId : undefined),
    gate: (peer, event) => passApproval({ host, memory, decisions }, peer, event),
    reactsTo: memory.projection.patterns.filter((pattern) => pattern !== "system.approval.*"),
    logEntries: "ignored",
    react: () => decisions.settle(),
    start: () => decisions.settle(true),
    checkDue: () => decisions.expire(),
  };
  return {
    extension,
    openOf: (peerId) => memory.openOf(peerId).map((record) => viewOf(record, registry)),
    get: (approvalId) => {
      const record = memory.get(approvalId);
      return record === undefined ? undefined : viewOf(record, registry);
    },
    answer: (call, done) => answerApproval(deps, call, done),
  };
}
