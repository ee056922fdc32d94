import { LIMITS, storedPayload } from "claw-contract";
import type { ReplyFields, WaitGoal, WorkerOutcome } from "claw-contract";
import type { CommittedEvent, StoredProjection } from "../../../bus/index.ts";

type Shown = ReplyFields<"ticket.show">;

/** One ticket, as its events in the log tell. Times are milliseconds. */
export interface TicketRecord {
  /** Hash of the handle. */
  readonly ticket: string;
  readonly owner: string;
  readonly goal: WaitGoal;
  readonly started: boolean;
  readonly workers: readonly { readonly peerId: string; readonly name: string }[];
  readonly refused: Shown["refused"];
  readonly ttlMs: number;
  readonly openedAt: number;
  readonly openedSequence: number;
  readonly status: "open" | "closed" | "cancelled";
  readonly closedAt: number | null;
  readonly closedSequence: number | null;
  /** Where the workers stood when the ticket was closed; null before. */
  readonly outcomes: readonly WorkerOutcome[] | null;
  readonly answers: Shown["answers"];
  readonly answeredAt: number;
  /** The machine on which the ticket was opened; absent in a log with one writer. */
  readonly machine?: string | undefined;
}

/** All tickets, read from the log alone. */
export interface TicketBook {
  readonly memory: StoredProjection;
  get(ticket: string): TicketRecord | undefined;
  /** Tickets that wait. */
  open(): readonly TicketRecord[];
  openOf(owner: string): number;
}

const PATTERNS = ["system.ticket.*"];

export const ticketExpiresAt = ({ openedAt, ttlMs }: TicketRecord): number => openedAt + ttlMs;

function openedIn(event: CommittedEvent): TicketRecord | undefined {
  const opened = storedPayload(event, "system.ticket.opened");
  if (opened === undefined) return undefined;
  const { ticket, owner, goal, started, workers, refused, ttl_ms: ttlMs } = opened;
  const openedAt = Date.parse(event.tsServer);
  return {
    ticket,
    owner,
    goal,
    started,
    refused,
    ttlMs,
    openedAt,
    workers: workers.map(({ peerId, name }) => ({ peerId, name })),
    openedSequence: event.sequence,
    status: "open",
    closedAt: null,
    closedSequence: null,
    outcomes: null,
    answers: [],
    answeredAt: openedAt,
    ...(event.machine === undefined ? {} : { machine: event.machine }),
  };
}

/** The ticket after a later event; undefined when the event is not about it. The first end in the log holds. */
function movedBy(event: CommittedEvent, known: (ticket: string) => TicketRecord | undefined): TicketRecord | undefined {
  const at = Date.parse(event.tsServer);
  const end = { closedAt: at, closedSequence: event.sequence };
  const answered = storedPayload(event, "system.ticket.answered");
  const closed = storedPayload(event, "system.ticket.closed");
  const cancelled = storedPayload(event, "system.ticket.cancelled");
  const record = known((answered ?? closed ?? cancelled)?.ticket ?? "");
  if (record === undefined) return undefined;
  if (answered !== undefined) {
    const { approvalId, outcome, note } = answered;
    const answers = [...record.answers, { approvalId, outcome, note }].slice(-LIMITS.ticketAnswers);
    return { ...record, answers, answeredAt: at };
  }
  if (record.status !== "open") return undefined;
  if (closed !== undefined) return { ...record, ...end, status: "closed", outcomes: closed.outcomes };
  return { ...record, ...end, status: "cancelled" };
}

/** Forgets tickets whose time is over at `nowMs`, and the oldest ended ones beyond the limit. */
function forgetOld(records: Map<string, TicketRecord>, nowMs: number): void {
  for (const [ticket, record] of records) if (ticketExpiresAt(record) <= nowMs) records.delete(ticket);
  const ended = [...records.values()].filter(({ status }) => status !== "open");
  for (const { ticket } of ended.slice(0, Math.max(0, records.size - LIMITS.tickets))) records.delete(ticket);
}

export function createTicketBook(): TicketBook {
  const records = new Map<string, TicketRecord>();
  const open = (): TicketRecord[] => [...records.values()].filter(({ status }) => status === "open");
  const apply = (event: CommittedEvent): void => {
    if (event.from !== "server") return;
    const opened = openedIn(event);
    const next = opened ?? movedBy(event, (ticket) => records.get(ticket));
    if (next !== undefined) records.set(next.ticket, next);
    if (opened !== undefined) forgetOld(records, opened.openedAt);
  };
  return {
    memory: {
      patterns: PATTERNS,
      apply,
      save: () => [...records.values()],
      load: (saved) => {
        for (const record of saved as readonly TicketRecord[]) records.set(record.ticket, record);
      },
    },
    get: (ticket) => records.get(ticket),
    open,
    openOf: (owner) => open().filter((record) => record.owner === owner).length,
  };
}
