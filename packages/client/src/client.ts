import type { ClawError } from "@claw/contract";
import type { CancelSignal } from "./cancel-signal.ts";
import { onAbort } from "./cancel-signal.ts";
import type { OpenChannel } from "./channel.ts";
import type { ConnectionListener } from "./connection.ts";
import { Connection } from "./connection.ts";
import type { Deferred } from "./deferred.ts";
import { createDeferred } from "./deferred.ts";
import { loadEventSchemas } from "./event-schemas.ts";
import type { EventSchemas } from "./event-schemas.ts";
import type { ClientRole, Identity, ResumeState } from "./hello.ts";
import type { PublishOptions } from "./prepare-publish.ts";
import { preparePublish } from "./prepare-publish.ts";
import type { Requests } from "./requests.ts";
import { createRequests } from "./requests.ts";
import type { Receipt } from "./spool.ts";
import { Spool } from "./spool.ts";
import type { SubscribeOptions, Subscription } from "./subscription.ts";
import type { Subscriptions } from "./subscriptions.ts";
import { createSubscriptions } from "./subscriptions.ts";
import type { Timer } from "./timer.ts";
import { systemTimer } from "./timer.ts";
import { closedError } from "./wire-error.ts";
import type { Reply } from "./wire-frame.ts";

export type ClientStatus = "connecting" | "open" | "closed";

export interface ClientOptions {
  /** How the bus is reached; called again for every connection. */
  readonly channel: OpenChannel;
  /** For people; need not be unique. */
  readonly name: string;
  /** Further additions to the wire that the bus is asked for. */
  readonly capabilities?: readonly string[];
  readonly bearer?: string;
  /** Terminal the client runs in. */
  readonly terminalId?: string;
  /** Goes on as the peer that an earlier process was. */
  readonly resume?: ResumeState;
  /** Attempts to connect in a row that may fail before everything is rejected with BUS_UNREACHABLE; no end without. */
  readonly attempts?: number;
  readonly timer?: Timer;
  /** Told whenever the connection comes or goes. */
  readonly onStatus?: (status: ClientStatus) => void;
  /** Closes the client. */
  readonly signal?: CancelSignal;
}

/** A peer of the bus. Connects by itself, and again whenever the connection ends. */
export interface Client {
  readonly name: string;
  /** Undefined before the first connection. A bus that forgot this client gives it another. */
  peerId(): string | undefined;
  status(): ClientStatus;
  /** Resolves at the first connection. Rejects when the client is refused, gives up or is closed before. */
  ready(): Promise<Identity>;
  /**
   * Publishes data in an envelope made for it; `{self}` in the topic stands for this peer's id. Waits for a
   * connection; is sent again, under the same id, after one was lost. Resolves with the receipt. Rejects with
   * PUBLISH_INVALID before anything is sent, with the bus's refusal, with SPOOL_FULL, or with BUS_CLOSED.
   */
  publish(topic: string, data: unknown, options?: PublishOptions): Promise<Receipt>;
  subscribe(pattern: string, options?: SubscribeOptions): Subscription;
  /**
   * Sends any command of the wire; resolves with its answer. Waits for a connection, but is sent once: rejects with
   * BUS_UNREACHABLE when the connection ended before the answer, and with the bus's refusal.
   */
  request(cmd: string, body?: Readonly<Record<string, unknown>>): Promise<Reply>;
  /** Resolves when no publish waits for its receipt any more. */
  flush(): Promise<void>;
  /** What another process needs to go on as this peer, which shuts this one out; undefined before a connection. */
  resumeState(): ResumeState | undefined;
  /** Ends subscriptions, rejects what waits with BUS_CLOSED, hangs up. Resolves when that is done. Idempotent. */
  close(): Promise<void>;
}

interface Parts {
  readonly spool: Spool;
  readonly subscriptions: Subscriptions;
  readonly requests: Requests;
  readonly ready: Deferred<Identity>;
  readonly timer: Timer;
}

interface State {
  status: ClientStatus;
  peerId: string | undefined;
  /** Why nothing more can be done. */
  failure: ClawError | undefined;
}

/** Everything that waits learns that it waits in vain; subscriptions end cleanly when that was wanted. */
function stop({ spool, subscriptions, requests, ready }: Parts, error: ClawError, wanted: boolean): void {
  subscriptions.end(wanted ? undefined : error);
  spool.fail(error);
  requests.fail(error);
  ready.reject(error);
}

function createListener(parts: Parts, state: State, onStatus: (status: ClientStatus) => void): ConnectionListener {
  const become = (status: ClientStatus): void => {
    state.status = status;
    onStatus(status);
  };
  return {
    joined: (link, identity) => {
      state.peerId = identity.peerId;
      // Subscriptions first, so that a client sees the consequences of what it publishes.
      parts.subscriptions.attach(link, identity.peerId);
      parts.requests.attach(link);
      parts.spool.attach(link, identity.peerId);
      parts.ready.resolve(identity);
      become("open");
    },
    push: (frame, size) => parts.subscriptions.receive(frame, size),
    lost: () => {
      parts.subscriptions.detach();
      parts.requests.detach();
      parts.spool.detach();
      become("connecting");
    },
    failed: (error) => {
      state.failure = error;
      stop(parts, error, false);
      become("closed");
    },
  };
}

function createPublish(parts: Parts, state: State, name: string): Client["publish"] {
  let schemas: Promise<EventSchemas> | undefined;
  return async (topic, data, options = {}) => {
    const publishedAt = parts.timer.now();
    schemas ??= loadEventSchemas();
    const event = preparePublish({ topic, data, options, fromName: name, publishedAt }, await schemas);
    if (state.failure !== undefined) throw state.failure;
    return parts.spool.add(event);
  };
}

export function createClient(role: ClientRole, options: ClientOptions): Client {
  const { name, capabilities = [], bearer, terminalId, attempts = Infinity, timer = systemTimer } = options;
  const { onStatus = () => undefined } = options;
  const subscriptions = createSubscriptions();
  const spool = new Spool(() => subscriptions.wantOwn());
  const parts: Parts = { spool, subscriptions, requests: createRequests(), ready: createDeferred(), timer };
  const state: State = { status: "connecting", peerId: undefined, failure: undefined };
  const connection = new Connection(
    {
      open: options.channel,
      hello: { role, name, capabilities, bearer, terminalId },
      resume: options.resume,
      timer,
      attempts,
    },
    createListener(parts, state, onStatus),
  );
  const close = (): Promise<void> => {
    if (state.failure === undefined) {
      state.failure = closedError("close", name);
      stop(parts, state.failure, true);
      state.status = "closed";
      onStatus("closed");
      stopListening();
    }
    return connection.close();
  };
  // Later, because a signal given already would close what is still being made.
  const stopListening = onAbort(options.signal, () => void Promise.resolve().then(close));
  return {
    name,
    peerId: () => state.peerId,
    status: () => state.status,
    ready: () => parts.ready.promise,
    publish: createPublish(parts, state, name),
    subscribe: (pattern, given = {}) => {
      const subscription = subscriptions.add(pattern, given);
      if (state.failure !== undefined) subscriptions.end();
      return subscription;
    },
    request: (cmd, body = {}) =>
      state.failure === undefined ? parts.requests.add(cmd, body) : Promise.reject(state.failure),
    flush: () => spool.settled(),
    resumeState: () => connection.resumeState(),
    close,
  };
}
