import { onAbort } from "claw-contract/client";
import type { ClawError } from "claw-contract";
import { createAskContract } from "./connection/ask-contract.ts";
import { createRequests } from "./connection/requests.ts";
import type { Client, ClientOptions, ClientStatus } from "./client.ts";
import type { ConnectionListener } from "./connection/connection.ts";
import { BusConnection } from "./connection/connection.ts";
import type { Deferred } from "./deferred.ts";
import { createDeferred } from "./deferred.ts";
import type { ClientRole, Identity } from "./connection/hello.ts";
import type { Link } from "./connection/link.ts";
import { platform, systemTimer } from "./platform.ts";
import type { Publication, EventPublisher } from "./publishing/publishing.ts";
import { createEventPublisher } from "./publishing/publishing.ts";
import type { Requests } from "./connection/requests.ts";
import { PublishSpool } from "./publishing/spool.ts";
import type { Subscription } from "./subscriptions/subscription.ts";
import type { LiveOptions } from "./subscriptions/subscriptions.ts";
import { Subscriptions } from "./subscriptions/subscriptions.ts";
import { closedError } from "./connection/wire-error.ts";

interface Parts {
  readonly spool: PublishSpool;
  readonly subscriptions: Subscriptions;
  readonly requests: Requests;
  readonly publishing: EventPublisher;
  readonly ready: Deferred<Identity>;
}

interface State {
  status: ClientStatus;
  peerId: string | undefined;
  link: Link | undefined;
  /** The error that ended the client; every further call fails with it. */
  failure: ClawError | undefined;
}

/** What a role adds to every client. */
export interface RoleHooks {
  /** Events to publish before all others to a bus that has forgotten this client. */
  readonly announceAgain?: () => readonly Publication[];
}

/** A client as the roles build on it. */
export interface OwnClient extends Client {
  subscribe(pattern: string, options?: LiveOptions): Subscription;
}

/** Rejects all waiting calls. Subscriptions end cleanly when the caller closed the client, otherwise with the error. */
function stop({ spool, subscriptions, requests, ready }: Parts, error: ClawError, wanted: boolean): void {
  subscriptions.end(wanted ? undefined : error);
  spool.fail(error);
  requests.fail(error);
  ready.reject(error);
}

/** Resumes publishing. A bus that has forgotten this client first gets the events in `again`. */
function resumePublishing({ spool, publishing }: Parts, state: State, again: readonly Publication[]): void {
  const { link, peerId } = state;
  const attach = (): void => {
    if (link !== undefined && peerId !== undefined && state.link === link) spool.attach(link, peerId);
  };
  if (again.length === 0) return attach();
  void publishing
    .prepare(again)
    .then((events) => spool.prepend(events))
    .then(attach, attach);
  return undefined;
}

type Tell = (status: ClientStatus) => void;

function createListener(parts: Parts, state: State, tell: Tell, { announceAgain }: RoleHooks): ConnectionListener {
  const become = (status: ClientStatus, link?: Link): void => {
    state.status = status;
    state.link = link;
    tell(status);
  };
  return {
    joined: (link, identity, forgotten) => {
      state.peerId = identity.peerId;
      become("open", link);
      // Subscriptions come first, so that a client sees the consequences of the events it publishes.
      parts.subscriptions.attach(link, identity);
      parts.requests.attach(link);
      resumePublishing(parts, state, forgotten ? (announceAgain?.() ?? []) : []);
      parts.ready.resolve(identity);
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

/** Releases all parts of the client, once, without waiting for the connection to close. */
function createClose(parts: Parts, state: State, name: string, tell: Tell): () => void {
  return () => {
    if (state.failure !== undefined) return;
    state.failure = closedError("close", name);
    state.status = "closed";
    state.link = undefined;
    stop(parts, state.failure, true);
    tell("closed");
  };
}

function createParts({ name, schemas, timer = systemTimer, attempts }: ClientOptions, state: State): Parts {
  const isPatient = attempts === undefined;
  const subscriptions = new Subscriptions(timer, isPatient);
  const spool = new PublishSpool({ echo: () => subscriptions.wantOwn(), timer, isPatient });
  const publishing = createEventPublisher({ spool, timer, name, schemas, failure: () => state.failure });
  return { spool, subscriptions, publishing, requests: createRequests(), ready: createDeferred() };
}

/** A subscription opened on a client that has ended ends the same way as the earlier subscriptions did. */
function endIfFailed({ subscriptions }: Parts, { failure }: State): void {
  if (failure !== undefined) subscriptions.end(failure.code === "BUS_CLOSED" ? undefined : failure);
}

export function createClient(role: ClientRole, options: ClientOptions, hooks: RoleHooks = {}): OwnClient {
  const { name, capabilities = [], bearer, terminalId, monitors, instance, attempts = Infinity, resume } = options;
  const { timer = systemTimer } = options;
  const state: State = { status: "connecting", peerId: undefined, link: undefined, failure: undefined };
  const parts = createParts(options, state);
  // Calls the listener in a microtask, so that an error it throws does not reach the client's code.
  const tell: Tell = (status) => platform.queueMicrotask(() => options.onStatus?.(status));
  const asked = options.attempts === undefined ? ["spool", ...capabilities] : capabilities;
  const hello = { role, name, capabilities: asked, bearer, terminalId, monitors, instance };
  const listener = createListener(parts, state, tell, hooks);
  const connection = new BusConnection({ open: options.channel, hello, resume, timer, attempts }, listener);
  const ask = createAskContract(parts.requests);
  const letGo = createClose(parts, state, name, tell);
  const close = (): Promise<void> => {
    stopListening();
    letGo();
    return connection.close();
  };
  // Closes in a later microtask: a signal that is already aborted would close the client before it is complete.
  const stopListening = onAbort(options.signal, () => void Promise.resolve().then(close));
  const subscribed = <Made extends Subscription>(subscription: Made): Made => {
    endIfFailed(parts, state);
    return subscription;
  };
  return {
    name,
    peerId: () => state.peerId,
    status: () => state.status,
    ready: () => parts.ready.promise,
    publish: (topic, data, given = {}) => parts.publishing.publish({ topic, data, options: given }),
    subscribe: (pattern, given = {}) => subscribed(parts.subscriptions.add(pattern, given)),
    subscribeDurable: (pattern, given) => subscribed(parts.subscriptions.addDurable(pattern, given)),
    request: (name, ...[fields = {}]) =>
      state.failure === undefined ? ask(name, fields) : Promise.reject(state.failure),
    requestText: async (name, ...[fields = {}]) => {
      if (state.failure !== undefined) throw state.failure;
      return String((await parts.requests.add(name, fields, Promise.resolve(), "callForText"))["line"]);
    },
    flush: () => parts.spool.settled(),
    resumeState: () => connection.resumeState(),
    close,
  };
}

/** A client that watches. The bus takes no events from it. */
export type Observer = Omit<Client, "publish" | "flush">;

/** Joins the bus as an observer. Returns at once. */
export const connectObserver = (options: ClientOptions): Observer => createClient("observer", options);
