import type { ClawError } from "@claw/contract";
import { onAbort } from "./cancel-signal.ts";
import type { Client, ClientOptions, ClientStatus } from "./client.ts";
import type { ConnectionListener } from "./connection.ts";
import { Connection } from "./connection.ts";
import type { Deferred } from "./deferred.ts";
import { createDeferred } from "./deferred.ts";
import type { EventSchemas } from "./event-schemas.ts";
import { loadEventSchemas } from "./event-schemas.ts";
import type { ClientRole, Identity } from "./hello.ts";
import { preparePublish } from "./prepare-publish.ts";
import type { Requests } from "./requests.ts";
import { createRequests } from "./requests.ts";
import { Spool } from "./spool.ts";
import type { Subscriptions } from "./subscriptions.ts";
import { createSubscriptions } from "./subscriptions.ts";
import type { Timer } from "./timer.ts";
import { systemTimer } from "./timer.ts";
import { closedError } from "./wire-error.ts";

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

/** Lets go of everything, once; what the connection does afterwards is nobody's concern. */
function createClose(parts: Parts, state: State, name: string, tell: (status: ClientStatus) => void): () => void {
  return () => {
    if (state.failure !== undefined) return;
    state.failure = closedError("close", name);
    state.status = "closed";
    stop(parts, state.failure, true);
    tell("closed");
  };
}

export function createClient(role: ClientRole, options: ClientOptions): Client {
  const { name, capabilities = [], bearer, terminalId, attempts = Infinity, timer = systemTimer, resume } = options;
  const { onStatus = () => undefined } = options;
  const subscriptions = createSubscriptions();
  const spool = new Spool(() => subscriptions.wantOwn());
  const parts: Parts = { spool, subscriptions, requests: createRequests(), ready: createDeferred(), timer };
  const state: State = { status: "connecting", peerId: undefined, failure: undefined };
  const hello = { role, name, capabilities, bearer, terminalId };
  const listener = createListener(parts, state, onStatus);
  const connection = new Connection({ open: options.channel, hello, resume, timer, attempts }, listener);
  const letGo = createClose(parts, state, name, onStatus);
  const close = (): Promise<void> => {
    stopListening();
    letGo();
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
