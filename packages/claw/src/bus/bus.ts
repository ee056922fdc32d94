import { createClientHandler } from "./client-handler.ts";
import type { BusContext, ContextOptions } from "./bus-context.ts";
import { createContext } from "./bus-context.ts";
import { detachReader, redeliver } from "./delivery/durable/durables.ts";
import type { LiveNotice } from "./delivery/push-live.ts";
import type { BusHost } from "./extension/bus-host.ts";
import { checkDue } from "./peers/due.ts";
import { createHeartbeat } from "./peers/heartbeat.ts";
import { markStale } from "./peers/mark-stale.ts";
import { serveRouted } from "./requests/running/serve-routed.ts";
import { warnOfCost } from "./state/reactions.ts";
import { restoreState } from "./snapshot/restore.ts";
import { followTerminals, reconcileTerminals } from "./terminals/closed-terminals.ts";
import type { Accept } from "./transports/transport.ts";

export interface BusOptions extends ContextOptions {
  /** Called with every heartbeat notice, which the bus pushes without storing it in the log. */
  readonly noticed?: (notice: LiveNotice) => void;
}

export interface Bus {
  /** Takes a client in. */
  readonly accept: Accept;
  /**
   * Does the work that depends on time: marks workers that were silent too long, hangs up on clients with expired
   * tokens, redelivers unacknowledged events. The owner of the clock calls this function soon after any change, and at
   * the latest at the time the last call returned. Times are in milliseconds; Infinity means that no work is waiting.
   */
  checkPeers(): number;
  /**
   * Ends what has run out of time: calls, tasks, waits for peers to come back, silences in waves. Called like
   * `checkPeers`; how late a call's timeout is noticed depends on how often.
   */
  checkDue(): number;
  /**
   * Tells the bus that the process slept and heard no peer meanwhile. Every peer's silence counts from now on at the
   * earliest.
   */
  wake(): void;
  /**
   * Takes in the newest snapshot and what the log tells after it. Resolves when the bus knows what it knew before a
   * restart; called before `accept`.
   */
  restore(): Promise<void>;
  /** Whether the log may lose events up to a sequence. When not, a snapshot is taken soon: ask again later. */
  covers(sequence: number): boolean;
  /** Stores a snapshot of the state, which makes the next start quick. Called after the last publish. Never fails. */
  save(): Promise<void>;
  /** The highest numbers in the log's ids, 0 without any. Known once `restore` has resolved. */
  highestNumbers(): Readonly<Record<"peer" | "terminal" | "task" | "pipeline", number>>;
  /**
   * The sequence after which a peer's `**` subscription follows all events; null without one, undefined when the peer
   * is gone.
   */
  followsAfter(peerId: string): number | null | undefined;
  readonly host: BusHost;
}

/** A bus together with its inside, for the tests of the bus. */
export interface OpenBus {
  readonly bus: Bus;
  readonly context: BusContext;
}

export const createBus = (options: BusOptions): Bus => openBus(options).bus;

export function openBus(options: BusOptions): OpenBus {
  const { context, host } = createContext(options);
  const heartbeat = createHeartbeat(context, options.noticed ?? (() => undefined));
  followTerminals(context);
  context.durables.store.onTaken?.((name) => detachReader(context, name));
  const { presence, terminals, tasks, pipelines } = context.state;
  const bus: Bus = {
    host,
    accept: (connection, entrance) => createClientHandler(context, connection, entrance),
    checkPeers: () => Math.min(markStale(context), context.access.expire(), redeliver(context)),
    checkDue: () => {
      warnOfCost(context);
      return Math.min(checkDue(context), heartbeat.check(), context.extensions.checkDue());
    },
    wake: () => void (context.listening.since = context.now()),
    covers: (sequence) => context.snapshots.covers(sequence),
    save: () => context.snapshots.save(),
    highestNumbers: () => ({
      peer: presence.highest(),
      terminal: terminals.highest(),
      task: tasks.highest(),
      pipeline: pipelines.highest(),
    }),
    followsAfter: (peerId) => followsAfter(context, peerId),
    restore: async () => {
      await restoreState(context);
      await options.judges?.begin();
      for (const [peerId, role] of context.state.presence.present()) {
        if (context.belonging.isHere(peerId)) context.missing.set(peerId, role);
      }
      if (options.terminals !== undefined) reconcileTerminals(context);
      context.extensions.start();
      if (options.router !== undefined) serveRouted(context, options.router);
    },
  };
  return { bus, context };
}

function followsAfter({ peers }: Pick<BusContext, "peers">, peerId: string): number | null | undefined {
  const peer = peers.get(peerId);
  if (peer === undefined) return undefined;
  const all = [...peer.subscriptions.values()].find(({ pattern }) => pattern.join(".") === "**");
  return all?.since ?? null;
}
