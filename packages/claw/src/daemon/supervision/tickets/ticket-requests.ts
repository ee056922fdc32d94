import { createHash } from "node:crypto";
import type { Immutable, ReadRequest, ReplyFields } from "claw-contract";
import { LIMITS } from "claw-contract";
import type { ConnectedPeer, Done, PeerRequest, Refused, RequestHandler, ServerEvent } from "../../../bus/index.ts";
import { error, handlePeers, ok, storageCode, WRITE_FAILED } from "../../../bus/index.ts";
import type { TicketBook, TicketRecord } from "./ticket-book.ts";
import { ticketExpiresAt } from "./ticket-book.ts";
import type { TicketSight } from "./ticket-view.ts";
import { isChildOf, ownApprovals, ticketViewOf } from "./ticket-view.ts";
import { answerTicket } from "./answer-ticket.ts";
import { isWaitOver, outcomeOf } from "./worker-outcomes.ts";

export interface TicketDeps extends TicketSight {
  readonly book: TicketBook;
}

/** Who asks: a peer, or the worker for which a tool of its agent asks. */
const askerOf = ({ id, speaksFor }: ConnectedPeer): string => speaksFor ?? id;

type Replies = Done<"ticket.open"> | Done<"ticket.show"> | Done<"ticket.cancel">;

/** The log holds only the hash, so who reads the log cannot use the ticket. */
export const ticketIdOf = (handle: string): string => createHash("sha256").update(handle).digest("hex");

export const ticketUnknown = (): Refused => error("there is no such ticket", { code: "TICKET_NOT_FOUND" });

/** The ticket of a peer; undefined for a ticket that is over its time, and for one of another peer. */
export function ticketOf({ book, host }: TicketDeps, handle: string, owner: string): TicketRecord | undefined {
  const record = book.get(ticketIdOf(handle));
  return record === undefined || record.owner !== owner || ticketExpiresAt(record) <= host.now() ? undefined : record;
}

const shown = (deps: TicketDeps, ticket: string, done: Replies): void => {
  const record = deps.book.get(ticket);
  const view: Immutable<ReplyFields<"ticket.show">> | undefined =
    record === undefined ? undefined : ticketViewOf(deps, record);
  done(view === undefined ? ticketUnknown() : ok(view));
};

/** Stores events about a ticket, and shows it as it is then. */
function store(deps: TicketDeps, ticket: string, events: readonly ServerEvent[], done: Replies): void {
  deps.host.publish(events, (failure) =>
    failure === undefined ? shown(deps, ticket, done) : done(error(WRITE_FAILED, storageCode(failure))),
  );
}

type Named = readonly { readonly peerId: string; readonly name: string }[];

/** The workers a peer may wait for, each once. A worker waits for its own children alone. */
function findWorkers({ registry }: TicketSight, peer: ConnectedPeer, named: readonly string[]): Named | Refused {
  const found = new Map<string, string>();
  for (const each of named) {
    const worker = registry.find(each);
    const isForeign =
      peer.role === "worker" && worker !== undefined && !isChildOf({ registry }, worker.peerId, askerOf(peer));
    if (worker === undefined || isForeign) {
      return error(`there is no worker ${each.slice(0, 100)}`, { code: "WORKER_NOT_FOUND" });
    }
    found.set(worker.peerId, worker.name);
  }
  return [...found].map(([peerId, name]) => ({ peerId, name }));
}

const isRefused = (value: Named | Refused): value is Refused => "kind" in value;

function refuseOpening(
  { book }: TicketDeps,
  { owner, workers }: { owner: string; workers: Named },
  refused: readonly unknown[],
) {
  if (book.openOf(owner) >= LIMITS.ticketsOpen) {
    return error(`${LIMITS.ticketsOpen} tickets are open already`, { code: "TICKETS_FULL" });
  }
  const isEmpty = workers.length === 0 && refused.length === 0;
  return isEmpty ? error("a ticket needs a worker", { code: "INVALID_FLAG_VALUE" }) : undefined;
}

function openTicket(deps: TicketDeps, { peer, request }: PeerRequest<"ticket.open">, done: Done<"ticket.open">): void {
  const { handle, goal, started, refused, ttlMs } = request;
  const ticket = ticketIdOf(handle);
  const known = deps.book.get(ticket);
  if (known !== undefined) return known.owner === askerOf(peer) ? shown(deps, ticket, done) : done(ticketUnknown());
  const workers = findWorkers(deps, peer, request.workers);
  if (isRefused(workers)) return done(workers);
  const refusal = refuseOpening(deps, { owner: askerOf(peer), workers }, refused);
  if (refusal !== undefined) return done(refusal);
  const payload = { ticket, owner: askerOf(peer), goal, started, workers, refused, ttl_ms: ttlMs };
  return store(
    deps,
    ticket,
    [{ topic: "system.ticket.opened", payload: { ...payload, ts: deps.host.timestamp() } }],
    done,
  );
}

/** Aborts the workers of a ticket that were started for it and are still at work. */
const aborts = (deps: TicketDeps, { started, owner, workers }: TicketRecord): ServerEvent[] =>
  workers
    .filter(({ peerId }) => started && isChildOf(deps, peerId, owner) && deps.view(peerId)?.ended === false)
    .map(({ peerId }) => ({
      topic: `cmd.${peerId}.abort`,
      payload: { reason: "the caller that started the worker cancelled its ticket" },
    }));

function cancelTicket(
  deps: TicketDeps,
  { peer, request }: PeerRequest<"ticket.cancel">,
  done: Done<"ticket.cancel">,
): void {
  const record = ticketOf(deps, request.handle, askerOf(peer));
  if (record === undefined) return done(ticketUnknown());
  const { ticket, status } = record;
  if (status !== "open") return shown(deps, ticket, done);
  const payload = { ticket, by: askerOf(peer), ts: deps.host.timestamp() };
  return store(deps, ticket, [{ topic: "system.ticket.cancelled", payload }, ...aborts(deps, record)], done);
}

/** The named workers, or else the newest workers that the peer started. */
function meantBy(deps: TicketDeps, peer: ConnectedPeer, { workers }: ReadRequest<"worker.outcomes">): Named | Refused {
  if (workers !== null) return findWorkers(deps, peer, workers);
  const own = deps.registry.all().filter(({ parentId }) => parentId === askerOf(peer));
  return own.slice(-LIMITS.ticketWorkers).map(({ peerId, name }) => ({ peerId, name }));
}

function tellOutcomes(
  deps: TicketDeps,
  { peer, request }: PeerRequest<"worker.outcomes">,
  done: Done<"worker.outcomes">,
): void {
  const { goal } = request;
  const meant = meantBy(deps, peer, request);
  if (isRefused(meant)) return done(meant);
  const workers = meant.map(({ peerId, name }) => outcomeOf(deps, peerId, { name, goal }));
  const peerIds = meant.map(({ peerId }) => peerId);
  const reply: Immutable<ReplyFields<"worker.outcomes">> = {
    done: isWaitOver(workers, goal),
    cursor: deps.host.cursorAt(deps.host.headSequence()),
    workers,
    approvals: ownApprovals(deps, askerOf(peer), peerIds),
  };
  return done(ok(reply));
}

/** Changes a ticket by one request at a time, so that a repeated request finds the events of the first. */
const inTurn =
  <Name extends "ticket.open" | "ticket.cancel" | "ticket.answer">(
    deps: TicketDeps,
    act: (call: PeerRequest<Name>, done: Done<Name>) => void,
  ) =>
  (call: PeerRequest<Name>, done: Done<Name>): void => {
    const { handle } = call.request;
    const taken = deps.host.runInTurn(`ticket ${ticketIdOf(handle)}`, (release) =>
      act(call, (outcome) => {
        release();
        done(outcome);
      }),
    );
    if (!taken) done(error("admission-control:backlog"));
  };

/** Requests about tickets, and about where workers stand. */
export const ticketRequests = (deps: TicketDeps): readonly RequestHandler[] => [
  handlePeers("worker.outcomes", (call, done) => tellOutcomes(deps, call, done)),
  handlePeers(
    "ticket.open",
    inTurn<"ticket.open">(deps, (call, done) => openTicket(deps, call, done)),
  ),
  handlePeers("ticket.show", ({ peer, request }, done) => {
    const record = ticketOf(deps, request.handle, askerOf(peer));
    return record === undefined ? done(ticketUnknown()) : shown(deps, record.ticket, done);
  }),
  handlePeers(
    "ticket.cancel",
    inTurn<"ticket.cancel">(deps, (call, done) => cancelTicket(deps, call, done)),
  ),
  handlePeers(
    "ticket.answer",
    inTurn<"ticket.answer">(deps, (call, done) => {
      const record = ticketOf(deps, call.request.handle, askerOf(call.peer));
      return record === undefined ? done(ticketUnknown()) : answerTicket(deps, record, call, done);
    }),
  ),
];
