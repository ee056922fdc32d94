import type { ApprovalRecord, ErrorCode } from "claw-contract";
import { chooseOption, decisionOf, endsLife, LIMITS } from "claw-contract";
import type { BusHost, ConnectedPeer, Gated, GatedEvent } from "../../../bus/index.ts";
import { fieldsOf, PASSED } from "../../../bus/index.ts";
import type { ApprovalDecisions } from "./approval-decisions.ts";
import type { ApprovalMemory } from "./approval-memory.ts";
import type { RawAnswer } from "./read-answer.ts";
import { readApprovalAnswer } from "./read-answer.ts";

/** An event on its way into the log that will decide an approval. */
export type Claim =
  | { readonly kind: "answering"; readonly by: string; readonly decision: string }
  | { readonly kind: "expiring" }
  | { readonly kind: "ending" }
  | { readonly kind: "changing"; readonly approvalId: string };

export interface ApprovalRefusal {
  readonly error: string;
  readonly more: { readonly code: ErrorCode } & Readonly<Record<string, unknown>>;
}

const answered = (id: string, by: string, decision: string, more: object = {}): ApprovalRefusal => ({
  error: `${id} was answered already: ${decision} by ${by}`,
  more: { code: "APPROVAL_ANSWERED", details: { by, decision, ...more } },
});

const changed = (id: string, approvalId: string | null): ApprovalRefusal => ({
  error: `${id} is not what is asked any more${approvalId === null ? "" : `; now it is ${approvalId}`}`,
  more: { code: "APPROVAL_CHANGED", details: { changed_to: approvalId } },
});

const expired = (id: string, deadline: string): ApprovalRefusal => ({
  error: `${id} was to be answered by ${deadline}, and was refused then`,
  more: { code: "APPROVAL_EXPIRED", details: { deadline } },
});

const ended = (id: string, peerId: string): ApprovalRefusal => ({
  error: `${peerId}, which asked for ${id}, has ended or was started anew`,
  more: { code: "WORKER_ENDED" },
});

export const approvalNotFound = (id: string): ApprovalRefusal => ({
  error: `nothing was asked as ${id.slice(0, 100)}`,
  more: { code: "APPROVAL_NOT_FOUND" },
});

/** Why an approval cannot be answered now; undefined when it can. `isPast`: its deadline is over. */
export function refuseAnswer(
  { opened, outcome }: ApprovalRecord,
  claim: Claim | undefined,
  isPast: boolean,
): ApprovalRefusal | undefined {
  const { approvalId: id, peerId, deadline } = opened;
  if (outcome?.kind === "answered") {
    const { by, rule, decision, chosen } = outcome;
    return answered(id, rule === null ? by : `rule ${rule}`, decision, { chosen, rule });
  }
  if (outcome?.reason === "changed") return changed(id, outcome.by);
  if (outcome?.reason === "worker_ended" || claim?.kind === "ending") return ended(id, peerId);
  if (claim?.kind === "answering") return answered(id, claim.by, claim.decision);
  if (claim?.kind === "changing") return changed(id, claim.approvalId);
  const isLate = outcome !== null || claim?.kind === "expiring" || isPast;
  return isLate ? expired(id, deadline) : undefined;
}

export interface GateDeps {
  readonly host: BusHost;
  readonly memory: ApprovalMemory;
  readonly decisions: ApprovalDecisions;
}

/** Lets an event pass, and blocks other decisions about the approvals until the event is stored or has failed. */
function passWith({ decisions }: GateDeps, records: readonly ApprovalRecord[], claim: Claim): Gated {
  const releases = records.map(({ opened }) => decisions.claim(opened.approvalId, claim));
  return { kind: "passed", settle: () => releases.forEach((release) => release()) };
}

/** A worker asks: a changed question replaces the earlier question under the same request id. */
function passQuestion(deps: GateDeps, peerId: string, data: unknown): Gated {
  const { memory, decisions } = deps;
  const asked = memory.foresee(peerId, data);
  if (asked === undefined) return PASSED;
  const others = memory
    .current(peerId, asked.requestId)
    .filter((record) => record.opened.approvalId !== asked.approvalId && decisions.refuse(record) === undefined);
  if (others.length > 0) return passWith(deps, others, { kind: "changing", approvalId: asked.approvalId });
  const isKnown = memory.get(asked.approvalId) !== undefined;
  if (isKnown || memory.openOf(peerId).length < LIMITS.openApprovals) return PASSED;
  return { kind: "refused", error: `gate: ${LIMITS.openApprovals} questions are open already` };
}

/**
 * Why the option that an `approve` command chooses is not valid. Only the policy `strict` checks the option, because
 * older clients do not keep to it. A command may name no option: the event protocol requires only the request id.
 */
function choiceProblem({ policy }: BusHost, { opened }: ApprovalRecord, answer: RawAnswer): string | undefined {
  const { action, chosen } = answer;
  if (action !== "approve" || policy !== "strict") return undefined;
  const choice = chooseOption({ ...opened, decision: "approve", chosen });
  return choice.kind === "refused" ? choice.reason : undefined;
}

/** A peer answers: the first answer counts. Later answers are refused with the name of the first peer. */
function passAnswer(deps: GateDeps, peer: ConnectedPeer, answer: RawAnswer): Gated {
  const { host, memory, decisions } = deps;
  const { peerId, requestId, action } = answer;
  const records = memory.current(peerId, requestId);
  const open = records.filter((record) => decisions.refuse(record) === undefined);
  if (open.length === 0) {
    const last = records.at(-1);
    const refusal = last === undefined ? undefined : decisions.refuse(last);
    return refusal === undefined ? PASSED : { kind: "refused", ...refusal };
  }
  if (peer.role === "worker") return { kind: "refused", error: "requires role: orchestrator" };
  const problem = open.map((record) => choiceProblem(host, record, answer)).find((text) => text !== undefined);
  if (problem !== undefined) return { kind: "refused", error: problem, more: { code: "PUBLISH_INVALID" } };
  return passWith(deps, open, { kind: "answering", by: peer.id, decision: decisionOf(action) });
}

/** Whether an event neither asks, answers nor ends. Most events are such (bench bus, "server time for an event"). */
function isPlain({ schema, data }: GatedEvent): boolean {
  if (schema !== "worker-event-v1") return false;
  const { kind, severity } = fieldsOf(data);
  return kind === "LOG" && severity !== "fatal";
}

/** Judges an event before it is stored. Events on their way into the log count as if they were stored. */
export function passApproval(deps: GateDeps, peer: ConnectedPeer, event: GatedEvent): Gated {
  if (isPlain(event)) return PASSED;
  const { topic, data } = event;
  const [family, named = ""] = topic.split(".");
  if (family === "cmd") {
    const answer = readApprovalAnswer(topic, peer.id, event.envelope ?? data);
    return answer === undefined ? PASSED : passAnswer(deps, peer, answer);
  }
  if (family !== "worker") return PASSED;
  if (endsLife(topic, fieldsOf(data))) return passWith(deps, deps.memory.openOf(named), { kind: "ending" });
  return event.schema === "worker-event-v1" ? passQuestion(deps, named, data) : PASSED;
}
