import type { ApprovalAnswer, ApprovalRecord } from "claw-contract";
import { endedRecord, isUnfinished } from "claw-contract";
import type { BusHost, Mandate, ServerEvent } from "../../../bus/index.ts";
import { missingCommand, missingTellings } from "./approval-events.ts";
import type { ApprovalMemory } from "./approval-memory.ts";
import type { Claim, ApprovalRefusal } from "./approval-gate.ts";
import { refuseAnswer } from "./approval-gate.ts";
import type { RuleDeps } from "./read-answer.ts";
import { ruleAnswer } from "./read-answer.ts";

/** Decides approvals, one decision at a time for each approval. */
export interface ApprovalDecisions {
  /** Why an approval cannot be answered now. */
  refuse(record: ApprovalRecord): ApprovalRefusal | undefined;
  /** Reserves the decision for one caller, until the caller calls the returned function. */
  claim(approvalId: string, claim: Claim): () => void;
  /** Answers an approval that `refuse` accepts. Calls `done` when the answer is in the log, or with the error. */
  answer(record: ApprovalRecord, answered: ApprovalAnswer, done: (error?: Error) => void): void;
  /**
   * Appends the events that have to follow and are missing in the log. With `anew`, also applies the rules to open
   * approvals.
   */
  settle(anew?: boolean): void;
  /** Refuses approvals that no peer answered in time. Returns the time of the next due work. */
  expire(): number;
}

/** Wait after a failed write to the log. */
const APPROVAL_RETRY_MS = 1000;
/** How soon to look again at an approval that is overdue and another daemon's to end: that daemon may be gone by then. */
const FOREIGN_LOOK_MS = 5000;

export interface DecisionDeps extends RuleDeps {
  readonly memory: ApprovalMemory;
}

/**
 * Whether the log holds this outcome of a record. In a cluster, another daemon may have decided first; the first outcome in the
 * log holds.
 */
export function isOutcomeOf(stored: ApprovalRecord | undefined, { outcome }: ApprovalRecord): boolean {
  const known = stored?.outcome ?? null;
  if (known === null || outcome === null) return known === outcome;
  const isSame = known.kind === outcome.kind && known.by === outcome.by && known.ts === outcome.ts;
  return isSame && stored?.isOutcomeTold === true;
}

class Decisions implements ApprovalDecisions {
  readonly #host: BusHost;
  readonly #deps: DecisionDeps;
  readonly #claims = new Map<string, Claim>();
  /** Approvals whose events are on their way into the log. */
  readonly #writing = new Set<string>();
  /** When the questions of other machines' workers expire. */
  readonly #foreign = new Map<string, { readonly sequence: number; readonly at: number }>();
  #retryAt = Infinity;

  constructor(host: BusHost, deps: DecisionDeps) {
    this.#host = host;
    this.#deps = deps;
  }

  refuse(record: ApprovalRecord): ApprovalRefusal | undefined {
    const isLate = this.#deadlineOf(record) <= this.#host.now();
    return refuseAnswer(record, this.#claims.get(record.opened.approvalId), isLate);
  }

  claim(approvalId: string, made: Claim): () => void {
    this.#claims.set(approvalId, made);
    return () => {
      if (this.#claims.get(approvalId) === made) this.#claims.delete(approvalId);
    };
  }

  answer(record: ApprovalRecord, answered: ApprovalAnswer, done: (error?: Error) => void): void {
    const release = this.claim(record.opened.approvalId, claimOf(answered));
    this.#write(withAnswer(record, answered), (error) => {
      release();
      done(error);
    });
  }

  settle(anew = false): void {
    for (const record of this.#deps.memory.all()) {
      if (!this.#host.isHere(record.opened.peerId)) continue;
      if (isUnfinished(record) || anew) this.#settleOne(record.opened.approvalId, anew);
    }
  }

  expire(): number {
    const now = this.#host.now();
    if (this.#retryAt <= now) {
      this.#retryAt = Infinity;
      this.settle();
    }
    let next = this.#retryAt;
    const { memory } = this.#deps;
    for (const approvalId of this.#foreign.keys()) {
      if (memory.get(approvalId)?.outcome !== null) this.#foreign.delete(approvalId);
    }
    for (const record of memory.open()) {
      const { approvalId, peerId } = record.opened;
      const mandate = this.#host.turns.forPeer(peerId);
      const at = this.#deadlineOf(record);
      if (at > now) next = Math.min(next, at);
      else if (mandate === undefined) next = Math.min(next, now + FOREIGN_LOOK_MS);
      else if (!this.#claims.has(approvalId) && !this.#writing.has(approvalId)) {
        const ended = endedRecord(record, "deadline", this.#host.timestamp());
        this.#write(ended, this.claim(approvalId, { kind: "expiring" }), mandate);
      }
    }
    return next;
  }

  /**
   * When an approval expires, by the clock of this daemon. The clock of another machine may differ by an hour: what its worker
   * asks has its time from when this daemon first saw the question.
   */
  #deadlineOf({ opened: { approvalId, sequence, deadline, ts, peerId } }: ApprovalRecord): number {
    if (this.#host.isHere(peerId)) return Date.parse(deadline);
    const known = this.#foreign.get(approvalId);
    if (known?.sequence === sequence) return known.at;
    const at = this.#host.now() + Date.parse(deadline) - Date.parse(ts);
    this.#foreign.set(approvalId, { sequence, at });
    return at;
  }

  #write(record: ApprovalRecord, done: (error?: Error) => void, mandate: Mandate = {}): void {
    const { approvalId } = record.opened;
    const nameOf = (peerId: string): string => this.#host.peers.get(peerId)?.name ?? peerId;
    const end = (failure: Error | undefined): void => {
      this.#writing.delete(approvalId);
      if (failure !== undefined) this.#retryAt = this.#host.now() + APPROVAL_RETRY_MS;
      done(failure);
      // Another event may have changed the approval meanwhile.
      if (failure === undefined) this.#settleOne(approvalId, false);
    };
    const publish = (events: readonly ServerEvent[], then: (failure: Error | undefined) => void): void =>
      this.#host.publish(
        events.map((event) => ({ ...event, ...mandate })),
        then,
      );
    this.#writing.add(approvalId);
    const [tellings, command] = [missingTellings(record), missingCommand(record, nameOf)];
    if (this.#host.machine === undefined || command.length === 0) return publish([...tellings, ...command], end);
    return publish(tellings, (failure) => {
      const isOurs = failure === undefined && isOutcomeOf(this.#deps.memory.get(approvalId), record);
      // The worker gets the outcome that holds.
      if (isOurs) publish(command, end);
      else end(failure);
    });
  }

  #settleOne(approvalId: string, anew: boolean): void {
    const record = this.#deps.memory.get(approvalId);
    if (record === undefined || this.#writing.has(approvalId)) return;
    const isAsked = record.outcome === null && !this.#claims.has(approvalId) && (anew || !record.isTold);
    const answered = isAsked ? ruleAnswer(this.#deps, record, this.#host.timestamp()) : undefined;
    const next = answered === undefined ? record : withAnswer(record, answered);
    if (!isUnfinished(next)) return;
    this.#write(next, answered === undefined ? () => undefined : this.claim(approvalId, claimOf(answered)));
  }
}

export const createApprovalDecisions = (host: BusHost, deps: DecisionDeps): ApprovalDecisions =>
  new Decisions(host, deps);

const claimOf = ({ by, rule, decision }: ApprovalAnswer): Claim => ({
  kind: "answering",
  by: rule === null ? by : `rule ${rule}`,
  decision,
});

const withAnswer = (record: ApprovalRecord, answered: ApprovalAnswer): ApprovalRecord => ({
  ...record,
  outcome: { kind: "answered", ...answered },
  isOutcomeTold: false,
  isAnswerSent: false,
});
