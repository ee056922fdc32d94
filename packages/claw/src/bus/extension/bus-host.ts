import { appendEvents } from "../publish/store-event.ts";
import type { ServerEvent } from "../publish/store-event.ts";
import type { BusContext } from "../bus-context.ts";
import { overCap } from "../publish/gates.ts";
import type { Peer } from "../peers/peer.ts";
import { openTerminalNow } from "../requests/terminals/create-terminal.ts";
import type { Opening } from "../requests/terminals/create-terminal.ts";
import type { Done } from "../requests/request-handler.ts";
import type { Life } from "../access/resume.ts";
import type { Fence } from "../leases/fence.ts";
import type { Turns } from "../leases/judges.ts";
import type { Serial } from "../state/serial.ts";
import { cursorOf } from "../delivery/subscription.ts";
import type { Terminals } from "../terminals/terminals.ts";
import type { Policy } from "../publish/topic-plan.ts";

/** A client that has said hello, as extensions see it. */
export type ConnectedPeer = Readonly<
  Pick<Peer, "id" | "role" | "name" | "lastSeen"> & Partial<Pick<Peer, "speaksFor">>
>;

/** The money of the whole workspace. */
export interface WorkspaceBudget {
  /** Dollars that all workers together have spent. */
  spentUsd(): number;
  /** The most that all workers together may spend, in dollars; undefined without a cap. */
  readonly capUsd: number | undefined;
  /**
   * Why a peer's action may not spend more, by the cap or by a limit of the target peer; undefined when it may. A
   * refusal is also published as `system.gate.fired`.
   */
  refuse(peerId: string, action: string, target: string): string | undefined;
  /** The state behind `spentUsd`, as `createBudget` loads it. */
  save(): unknown;
}

/** The services of the bus for its extensions. A method throws only where its comment says so. */
export interface BusHost {
  readonly policy: Policy;
  /** Milliseconds since 1970, by the clock of the bus. */
  now(): number;
  /** The same time as ISO text. */
  timestamp(): string;
  /** Writes a line to the daemon's own log. */
  report(text: string): void;
  /**
   * Stores events of the server next to each other in the log. Calls `done` once all events are settled: without an
   * error when all are stored, else with the first error. An empty list calls `done` at once.
   */
  publish(events: readonly ServerEvent[], done: (failure: Error | undefined) => void): void;
  /** The peers that are connected at the moment of the call, by id, in the order in which they joined. */
  readonly peers: ReadonlyMap<string, ConnectedPeer>;
  /** The name of this machine in its cluster; undefined in a log with one writer. */
  readonly machine: string | undefined;
  /**
   * Whether a peer belongs to this machine, as `Belonging` says: this daemon does what follows from the peer's events.
   * Always true in a log with one writer.
   */
  isHere(peerId: string): boolean;
  /** The machine that a peer belongs to; undefined when it is unknown, and in a log with one writer. */
  machineOf(peerId: string): string | undefined;
  /** Which daemon does what is done once in a cluster, and what follows for the peers of machines that are gone. */
  readonly turns: Turns;
  /** Earliest time from which a peer's silence counts, in milliseconds: the start, or the last wake-up of the process. */
  silenceCountsFrom(): number;
  /** Runs a job once all earlier jobs with the same key have called `release`. False when too many jobs wait. */
  runInTurn: Serial["run"];
  /** A peer id that no peer of this workspace had before. Throws when the number cannot be stored. */
  nextPeerId(): string;
  /** A token with which a client says hello as the peer of this life. */
  issueResumeToken(life: Life): string;
  /** Ends an issued token and hangs up on its bearers. False when no issued token has the id. Throws file errors. */
  revokeToken(id: string): boolean;
  /** Sequence of the newest event in the log; 0 when the log is empty. */
  headSequence(): number;
  /** Sequence of the newest event that every memory has taken in. */
  knownThrough(): number;
  /** Tells which events count. */
  readonly fence: Pick<Fence, "save" | "newest" | "highest" | "isIgnored">;
  /** The cursor from which a subscription gets all events after a sequence. */
  cursorAt(sequence: number): string;
  readonly terminals: Terminals;
  /** Peer id of the worker that a terminal was opened for, also for a closed terminal; undefined when unknown. */
  workerOfTerminal(terminalId: string): string | undefined;
  /**
   * Opens a terminal for a connected peer, in any phase of the mission. Reads the request and answers as `create` does.
   * Calls `done` once, when the terminal's program runs or the opening has failed.
   */
  openTerminal(peerId: string, request: Opening["request"], done: Done<"create">): void;
  readonly budget: WorkspaceBudget;
}

const createWorkspaceBudget = (context: BusContext): WorkspaceBudget => ({
  spentUsd: () => context.state.budget.spentUsd(),
  capUsd: context.state.budget.limits.capUsd,
  refuse: (peerId, action, target) => overCap(context, { id: peerId }, action, target),
  save: () => context.state.budget.save(),
});

export function createBusHost(context: BusContext): BusHost {
  return {
    policy: context.policy,
    now: () => context.now(),
    timestamp: () => context.timestamp(),
    report: (text) => context.report(text),
    publish: (events, done) =>
      appendEvents(context, events, (outcome) => done(outcome instanceof Error ? outcome : undefined)),
    peers: context.peers,
    machine: context.log.machine,
    isHere: (peerId) => context.belonging.isHere(peerId),
    machineOf: (peerId) => (context.log.machine === undefined ? undefined : context.state.presence.homeOf(peerId)),
    turns: context.turns,
    silenceCountsFrom: () => context.listening.since,
    runInTurn: (key, job) => context.serial.run(key, job),
    nextPeerId: () => context.nextPeerId(),
    issueResumeToken: (life) => context.resume.issue(life),
    revokeToken: (id) => context.access.revoke(id) !== undefined,
    headSequence: () => context.log.head(),
    knownThrough: () => context.projections.through(),
    fence: context.projections.fence,
    cursorAt: (sequence) => cursorOf(context.log, sequence),
    terminals: context.terminals,
    workerOfTerminal: (terminalId) => context.state.terminals.get(terminalId)?.workerId ?? undefined,
    openTerminal: (peerId, request, done) =>
      openTerminalNow({ context, peer: context.peers.get(peerId), request }, done),
    budget: createWorkspaceBudget(context),
  };
}
