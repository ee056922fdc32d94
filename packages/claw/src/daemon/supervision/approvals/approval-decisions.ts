import type { ApprovalAnswer, ApprovalRecord } from "claw-contract";
import { endedRecord, isUnfinished } from "claw-contract";
import type { BusHost } from "../../../bus/index.ts";
import { missingEvents } from "./approval-events.ts";
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

export interface DecisionDeps extends RuleDeps {
  readonly memory: ApprovalMemory;
}

class Decisions implements ApprovalDecisions {
  readonly #host: BusHost;
  readonly #deps: DecisionDeps;
  readonly #claims = new Map<string, Claim>();
  /** Approvals whose events are on their way into the log. */
  readonly #writing = new Set<string>();
  #retryAt = Infinity;

  constructor(host: BusHost, deps: DecisionDeps) {
    this.#host = host;
    this.#deps = deps;
  }

  refuse(record: ApprovalRecord): ApprovalRefusal | undefined {
    return refuseAnswer(record, this.#claims.get(record.opened.approvalId), this.#host.now());
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
    for (const record of this.#deps.memory.open()) {
      const { approvalId, deadline } = record.opened;
      const at = Date.parse(deadline);
      if (at > now) next = Math.min(next, at);
      else if (!this.#claims.has(approvalId) && !this.#writing.has(approvalId)) {
        const ended = endedRecord(record, "deadline", this.#host.timestamp());
        this.#write(ended, this.claim(approvalId, { kind: "expiring" }));
      }
    }
    return next;
  }

  #write(record: ApprovalRecord, done: (error?: Error) => void): void {
    const { approvalId } = record.opened;
    const nameOf = (peerId: string): string => this.#host.peers.get(peerId)?.name ?? peerId;
    this.#writing.add(approvalId);
    this.#host.publish(missingEvents(record, nameOf), (outcome) => {
      const failed = outcome instanceof Error;
      this.#writing.delete(approvalId);
      if (failed) this.#retryAt = this.#host.now() + APPROVAL_RETRY_MS;
      done(failed ? outcome : undefined);
      // Another event may have changed the approval meanwhile.
      if (!failed) this.#settleOne(approvalId, false);
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
