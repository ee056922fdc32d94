import type { JSONRPCMessage, JSONRPCNotification, JSONRPCRequest, Transport } from "@modelcontextprotocol/server";
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  ProtocolErrorCode,
  SUBSCRIPTION_ID_META_KEY,
} from "@modelcontextprotocol/server";
import { arrayOf, objectOf, textsOf } from "claw-contract";
import type { Caller } from "../caller.ts";
import { listenTasks } from "./listen-tasks.ts";
import type { TaskCall, TaskStore } from "./task.ts";
import { declaresTasks, TASKS_CAPABILITY } from "./task.ts";

const CAPABILITIES = "io.modelcontextprotocol/clientCapabilities";
const ACKNOWLEDGED = "notifications/subscriptions/acknowledged";

type Id = string | number;

interface Listener {
  readonly ending: AbortController;
  readonly taskIds: readonly string[];
  readonly start: () => void;
}

/** The ids of tasks that a `subscriptions/listen` names; undefined when it names none. */
function taskIdsIn({ params }: JSONRPCRequest): readonly string[] | undefined {
  const asked = objectOf(objectOf(params)["notifications"])["taskIds"];
  return asked === undefined ? undefined : textsOf(arrayOf(asked));
}

const refusal = (id: Id): JSONRPCMessage => ({
  jsonrpc: "2.0",
  id,
  error: {
    code: ProtocolErrorCode.MissingRequiredClientCapability,
    message: "Missing required client capability",
    data: { requiredCapabilities: TASKS_CAPABILITY },
  },
});

const subscriptionIn = ({ params }: JSONRPCNotification): unknown =>
  objectOf(objectOf(params)["_meta"])[SUBSCRIPTION_ID_META_KEY];

function acknowledged(message: JSONRPCNotification, taskIds: readonly string[]): JSONRPCMessage {
  const params = objectOf(message.params);
  const notifications = { ...objectOf(params["notifications"]), taskIds };
  return { ...message, params: { ...params, notifications } };
}

/**
 * Serves the tasks in `subscriptions/listen` on one connection, between the wire and the SDK, which leaves them out: it
 * adds the ids of tasks to the SDK's acknowledgement, and sends `notifications/tasks`.
 */
class TasksWire implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: NonNullable<Transport["onmessage"]>;

  readonly #wire: Transport;
  readonly #store: TaskStore;
  readonly #caller: Caller;
  readonly #listeners = new Map<Id, Listener>();

  constructor(wire: Transport, store: TaskStore, caller: Caller) {
    this.#wire = wire;
    this.#store = store;
    this.#caller = caller;
  }

  start(): Promise<void> {
    const ears: Pick<Transport, "onclose" | "onerror" | "onmessage"> = {
      onclose: () => {
        for (const { ending } of this.#listeners.values()) ending.abort();
        this.#listeners.clear();
        this.onclose?.();
      },
      onerror: (error) => this.onerror?.(error),
      onmessage: (message, extra) => this.#receive(message, () => this.onmessage?.(message, extra)),
    };
    Object.assign(this.#wire, ears);
    return this.#wire.start();
  }

  async send(message: JSONRPCMessage, options?: Parameters<Transport["send"]>[1]): Promise<void> {
    if (!isJSONRPCNotification(message) || message.method !== ACKNOWLEDGED) return this.#wire.send(message, options);
    const listener = this.#listeners.get(subscriptionIn(message) as Id);
    if (listener === undefined) return this.#wire.send(message, options);
    await this.#wire.send(acknowledged(message, listener.taskIds), options);
    return listener.start();
  }

  close(): Promise<void> {
    return this.#wire.close();
  }

  #receive(message: JSONRPCMessage, pass: () => void): void {
    if (isJSONRPCNotification(message) && message.method === "notifications/cancelled") {
      this.#stop(objectOf(message.params)["requestId"] as Id);
    }
    const isListen = isJSONRPCRequest(message) && message.method === "subscriptions/listen";
    const taskIds = isListen ? taskIdsIn(message) : undefined;
    if (!isListen || taskIds === undefined) return pass();
    return void this.#listen(message, taskIds).then((isServed) => (isServed ? pass() : undefined));
  }

  /** Resolves with whether the SDK is to serve the rest of the request. */
  async #listen({ id, params }: JSONRPCRequest, asked: readonly string[]): Promise<boolean> {
    const ending = new AbortController();
    const capabilities = objectOf(objectOf(objectOf(params)["_meta"])[CAPABILITIES]);
    const call: TaskCall = { era: "modern", capabilities, caller: this.#caller, signal: ending.signal };
    if (!declaresTasks(call)) {
      await this.#wire.send(refusal(id));
      return false;
    }
    const send = ({ method, params: task }: { method: string; params: object }): void => {
      const told = { jsonrpc: "2.0", method, params: { ...task, _meta: { [SUBSCRIPTION_ID_META_KEY]: id } } };
      // A client that has left needs no news.
      this.#wire.send(told as JSONRPCMessage).catch(() => undefined);
    };
    // Without the daemon, the tasks are unknown for now, and the rest of the request is served.
    const nothing = { taskIds: [], start: () => undefined };
    const heard = await listenTasks(this.#store, { taskIds: asked, call }, send).catch(() => nothing);
    this.#stop(id);
    this.#listeners.set(id, { ending, ...heard });
    return true;
  }

  #stop(id: Id): void {
    this.#listeners.get(id)?.ending.abort();
    this.#listeners.delete(id);
  }
}

/** Puts the notifications of tasks between the wire of one connection and its server. */
export const tasksWire = (wire: Transport, store: TaskStore, caller: Caller): Transport =>
  new TasksWire(wire, store, caller);
