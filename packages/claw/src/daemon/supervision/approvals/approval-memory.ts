import type { ApprovalRecord, Redactor } from "claw-contract";
import {
  askedAgain,
  askedRecord,
  chooseOption,
  decisionOf,
  endBetween,
  endedRecord,
  isOver,
  isUnfinished,
  LIFE_TOPICS,
  LIMITS,
  nonEmptyText,
  storedPayload,
} from "claw-contract";
import type { ApprovalOpened } from "claw-contract/schemas";
import type { CommittedEvent, StoredProjection } from "../../../bus/index.ts";
import { fieldsOf } from "../../../bus/index.ts";
import type { WorkerRegistry } from "../../worker-registry/worker-registry.ts";
import { readApprovalAnswer } from "./read-answer.ts";
import { readQuestion } from "./read-question.ts";

/** All approvals that workers asked for, read from the log. Oldest first. */
export interface ApprovalMemory {
  readonly projection: StoredProjection;
  get(approvalId: string): ApprovalRecord | undefined;
  all(): readonly ApprovalRecord[];
  open(): readonly ApprovalRecord[];
  openOf(peerId: string): readonly ApprovalRecord[];
  /** Approvals with this request id, of one worker or of all workers. */
  current(peerId: string | undefined, requestId: string): readonly ApprovalRecord[];
  /** The approval that an event on its way into the log would open. */
  foresee(peerId: string, data: unknown): ApprovalOpened | undefined;
}

type Saved = readonly ApprovalRecord[];

const PATTERNS = [...LIFE_TOPICS.filter((topic) => !topic.startsWith("cmd.")), "cmd.**", "system.approval.*"];

/** The questions that the approvals ask the registry. */
export type Lives = Pick<WorkerRegistry, "lifeOf" | "changesBy">;

const isOpen = ({ outcome }: ApprovalRecord): boolean => outcome === null;
const UNSTORED = { sequence: 0, askedAt: new Date(0).toISOString() };

/** The option that an answer without a chosen option stands for. */
function impliedBy({ opened }: ApprovalRecord, decision: "approve" | "reject"): string | null {
  const choice = chooseOption({ ...opened, decision, chosen: undefined });
  return choice.kind === "chosen" ? choice.chosen : null;
}

/** The id of a request that a worker withdraws, because the question was decided or given up on the agent's side. */
function withdrawnIn({ kind, request_id: requestId, data }: Readonly<Record<string, unknown>>): string | undefined {
  return kind === "LOG" && fieldsOf(data)["withdrawn"] === true ? nonEmptyText(requestId) : undefined;
}

/** The approvals, built from the events of the log. */
class ApprovalBook {
  readonly #redactor: Redactor;
  readonly #lives: Lives;
  readonly #records = new Map<string, ApprovalRecord>();

  constructor(redactor: Redactor, lives: Lives) {
    this.#redactor = redactor;
    this.#lives = lives;
  }

  get(approvalId: string): ApprovalRecord | undefined {
    return this.#records.get(approvalId);
  }

  all(): ApprovalRecord[] {
    return [...this.#records.values()];
  }

  openOf(peerId: string): ApprovalRecord[] {
    return this.all().filter((record) => record.opened.peerId === peerId && isOpen(record));
  }

  asked(peerId: string | undefined, requestId: string): ApprovalRecord[] {
    return this.all().filter(
      ({ opened }) => opened.requestId === requestId && (peerId === undefined || opened.peerId === peerId),
    );
  }

  foresee(peerId: string, data: unknown): ApprovalOpened | undefined {
    return readQuestion({ peerId, bootId: this.#lives.lifeOf(peerId).bootId, data, ...UNSTORED }, this.#redactor);
  }

  apply(event: CommittedEvent): void {
    const [family, named = "", action = ""] = event.topic.split(".");
    if (family === "cmd") return this.#hear(event);
    this.#closeEnded(event);
    if (family === "worker") return action === "event" ? this.#ask(named, event) : undefined;
    if (event.from !== "server" || named !== "approval") return undefined;
    const changed = tell(this.#records, event);
    if (changed !== undefined) this.#put(changed);
    return forget(this.#records);
  }

  save(): Saved {
    return this.all();
  }

  load(records: Saved): void {
    for (const record of records) this.#put(record);
  }

  #put(record: ApprovalRecord): void {
    this.#records.set(record.opened.approvalId, record);
  }

  #ask(peerId: string, { payload, sequence, tsServer }: CommittedEvent): void {
    const life = this.#lives.lifeOf(peerId);
    if (isOver(life)) return;
    const { bootId } = life;
    const withdrawn = withdrawnIn(fieldsOf(payload));
    for (const record of withdrawn === undefined ? [] : this.asked(peerId, withdrawn).filter(isOpen)) {
      this.#put(endedRecord(record, "withdrawn", tsServer));
    }
    const question = { peerId, bootId, sequence, askedAt: tsServer, data: fieldsOf(payload) };
    const opened = readQuestion(question, this.#redactor);
    if (opened === undefined) return;
    const { approvalId, requestId } = opened;
    const known = this.get(approvalId);
    for (const other of this.asked(peerId, requestId)) {
      if (other !== known && isOpen(other)) this.#put(endedRecord(other, "changed", tsServer, approvalId));
    }
    this.#records.delete(approvalId);
    this.#put(known === undefined ? askedRecord(opened) : askedAgain(known, opened));
  }

  /** Closes the approvals of every life that the event ended. */
  #closeEnded(event: CommittedEvent): void {
    for (const { peerId, before, after } of this.#lives.changesBy(event)) {
      const hasEndedNow = endBetween(before, after) !== null && (isOver(after) || before.bootId !== after.bootId);
      if (!hasEndedNow) continue;
      for (const record of this.openOf(peerId)) this.#put(endedRecord(record, "worker_ended", event.tsServer));
    }
  }

  #hear(event: CommittedEvent): void {
    const answer = readApprovalAnswer(event.topic, event.from, event.payload);
    if (answer === undefined) return;
    const { action, requestId, peerId, chosen, reason, approvalId } = answer;
    for (const record of this.asked(peerId, requestId)) {
      if (record.opened.approvalId === approvalId && !isOpen(record)) this.#put({ ...record, isAnswerSent: true });
      if (!isOpen(record)) continue;
      const decision = decisionOf(action);
      const said = { decision, chosen: chosen ?? impliedBy(record, decision), reason: reason ?? null };
      const outcome = { kind: "answered", ...said, by: event.from, rule: null, ts: event.tsServer } as const;
      this.#put({ ...record, outcome, isOutcomeTold: false, isAnswerSent: true });
    }
  }
}

export function createApprovalMemory(redactor: Redactor, lives: Lives): ApprovalMemory {
  const book = new ApprovalBook(redactor, lives);
  return {
    projection: {
      patterns: PATTERNS,
      logEntries: "ignored",
      // Most events of workers open no approval, and most commands answer none.
      wants: (event) => {
        const { topic, payload = "" } = event;
        if (topic.startsWith("cmd.")) return payload.includes("correlation_id");
        if (topic.startsWith("system.approval.")) return true;
        return lives.changesBy(event).length > 0 || (topic.endsWith(".event") && payload.includes("request_id"));
      },
      apply: (event) => book.apply(event),
      save: () => book.save(),
      load: (saved) => book.load(saved as Saved),
    },
    get: (approvalId) => book.get(approvalId),
    all: () => book.all(),
    open: () => book.all().filter(isOpen),
    openOf: (peerId) => book.openOf(peerId),
    current: (peerId, requestId) => book.asked(peerId, requestId),
    foresee: (peerId, data) => book.foresee(peerId, data),
  };
}

/** The record after a `system.approval.*` event of the server. The first outcome in the log holds. */
function tell(records: ReadonlyMap<string, ApprovalRecord>, event: CommittedEvent): ApprovalRecord | undefined {
  const known = records.get(nonEmptyText(fieldsOf(event.payload)["approvalId"]) ?? "");
  const opened = storedPayload(event, "system.approval.opened");
  if (opened !== undefined) {
    return { ...(known ?? askedRecord(opened)), opened: { ...known?.opened, ...opened }, isTold: true };
  }
  if (known === undefined || known.isOutcomeTold) return undefined;
  const expired = storedPayload(event, "system.approval.expired");
  if (expired !== undefined) {
    const { reason, ts, changedTo } = expired;
    return { ...endedRecord(known, reason, ts, nonEmptyText(changedTo) ?? null), isOutcomeTold: true };
  }
  const answered = storedPayload(event, "system.approval.answered");
  if (answered === undefined) return undefined;
  const { decision, chosen, reason, by, rule, ts } = answered;
  const outcome = { kind: "answered", decision, chosen, reason, by, rule, ts } as const;
  const isSame = known.outcome?.kind === "answered";
  return { ...known, outcome, isOutcomeTold: true, isAnswerSent: isSame && known.isAnswerSent };
}

/** Removes the oldest closed approvals beyond the limit. */
function forget(records: Map<string, ApprovalRecord>): void {
  const over = [...records.values()].filter((record) => !isOpen(record) && !isUnfinished(record));
  for (const { opened } of over.slice(0, Math.max(0, over.length - LIMITS.closedApprovals))) {
    records.delete(opened.approvalId);
  }
}
