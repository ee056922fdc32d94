import { setMaxListeners } from "node:events";
import type { ClientRole, Orchestrator, ResumeState, Subscription } from "claw-client";
import { ClawError } from "claw-contract";
import type { Door } from "./open-bus.ts";

/** A peer of the bus that many calls share, one after another or at a time. */
export interface BusSeat {
  /**
   * A client for one call. Its `close` ends what the call began and leaves the peer on the bus, as does the signal.
   * Rejects with DAEMON_NOT_RUNNING, or when the bus refuses the peer.
   */
  join(signal: AbortSignal): Promise<Orchestrator>;
  /** The id under which the peer speaks; undefined before the first connection. */
  peerId(): string | undefined;
  /** Leaves the bus. Idempotent. */
  close(): Promise<void>;
}

export interface SeatOptions {
  readonly name: string;
  readonly role: ClientRole;
  /** The worker whose tool the peer is: the bus takes what the peer says as said by that worker. */
  readonly speaksFor?: string | undefined;
  /** Where the bus is; asked again for each new connection. Throws DAEMON_NOT_RUNNING. */
  readonly door: () => Door | Promise<Door>;
  /** A secret of the caller, which gives the peer the same id in every process. */
  readonly instance?: string;
  /** Called when a connection has ended for good: the bus is away, or serves this peer no longer. */
  readonly ended?: () => void;
}

const callEnded = (): ClawError =>
  new ClawError("BUS_CLOSED", "the call has ended", { operation: "request", target: "bus" });

/** Rejects when the call ends before the promise is settled. */
function orEnd<T>(promise: Promise<T>, ended: AbortSignal): Promise<T> {
  if (ended.aborted) return Promise.reject(callEnded());
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(callEnded());
    ended.addEventListener("abort", stop, { once: true });
    promise.then(resolve, reject).finally(() => ended.removeEventListener("abort", stop));
  });
}

/** The client as one call sees it: what the call opened ends with the call. */
function lend(bus: Orchestrator, signal: AbortSignal): Orchestrator {
  const ending = new AbortController();
  // A call may ask for many things at a time, and each request listens for its end.
  setMaxListeners(0, ending.signal);
  const open = new Set<Subscription>();
  const close = async (): Promise<void> => {
    signal.removeEventListener("abort", onAbort);
    ending.abort();
    await Promise.all([...open].map((subscription) => subscription.return()));
    open.clear();
  };
  const onAbort = (): void => void close();
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) void close();
  const kept = <S extends Subscription>(subscription: S): S => {
    open.add(subscription);
    return subscription;
  };
  return {
    ...bus,
    // The place in the log where this call begins: the peer may have joined long ago.
    ready: async () => {
      const { cursor } = await orEnd(bus.request("log.cursor", { time: Date.now() }), ending.signal);
      return { ...(await bus.ready()), cursor };
    },
    // Calls share the peer. A call that reads gets the events that other calls published.
    subscribe: (pattern, options) => kept(bus.subscribe(pattern, { own: true, ...options })),
    subscribeDurable: (pattern, options) => kept(bus.subscribeDurable(pattern, options)),
    publish: (...args) => orEnd(bus.publish(...args), ending.signal),
    request: (...args) => orEnd(bus.request(...args), ending.signal),
    requestText: (...args) => orEnd(bus.requestText(...args), ending.signal),
    close,
  };
}

/** Joins the bus as the peer of an earlier connection, or as a new peer. Leaves nothing open when it rejects. */
async function takeSeat(options: SeatOptions, identity: ResumeState | undefined): Promise<Orchestrator> {
  const { name, role, instance, speaksFor, ended } = options;
  const { socket, bearer } = await options.door();
  const { connectMember, unixChannel } = await import("./bus-client.ts");
  const bus = connectMember(role, {
    channel: unixChannel(socket),
    name,
    attempts: 1,
    ...(speaksFor === undefined ? {} : { capabilities: ["tool"] }),
    ...(bearer === undefined ? {} : { bearer }),
    ...(instance === undefined ? {} : { instance }),
    ...(identity === undefined ? {} : { resume: identity }),
    onStatus: (status) => {
      if (status === "closed") ended?.();
    },
  });
  await bus.ready().catch(async (error: unknown) => {
    await bus.close();
    throw error;
  });
  return bus;
}

class Seat implements BusSeat {
  readonly #options: SeatOptions;
  #present: Promise<Orchestrator> | undefined;
  /** The newest client that joined; possibly closed. */
  #last: Orchestrator | undefined;
  #identity: ResumeState | undefined;
  /** The peer's id while the bus is away. The peer gets it again when it joins again. */
  #peerId: string | undefined;
  #isClosed = false;

  constructor(options: SeatOptions) {
    this.#options = options;
  }

  async join(signal: AbortSignal): Promise<Orchestrator> {
    signal.throwIfAborted();
    const bus = lend(await this.#current(), signal);
    const { speaksFor } = this.#options;
    return speaksFor === undefined ? bus : { ...bus, peerId: () => speaksFor };
  }

  peerId(): string | undefined {
    return this.#options.speaksFor ?? this.#last?.peerId() ?? this.#peerId;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const bus = await this.#present?.catch(() => undefined);
    await bus?.close();
  }

  async #current(): Promise<Orchestrator> {
    if (this.#isClosed) throw callEnded();
    if (this.#last?.status() === "closed") {
      this.#identity = this.#last.resumeState() ?? this.#identity;
      this.#peerId = this.#last.peerId() ?? this.#peerId;
      this.#present = undefined;
      this.#last = undefined;
    }
    this.#present ??= takeSeat(this.#options, this.#identity).then((bus) => (this.#last = bus));
    try {
      return await this.#present;
    } catch (error) {
      this.#present = undefined;
      throw error;
    }
  }
}

/** A seat that joins the bus with its first call, and again after the bus was away, as the same peer. */
export const createSeat = (options: SeatOptions): BusSeat => new Seat(options);
