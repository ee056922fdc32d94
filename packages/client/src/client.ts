import type { ReceivedReply, RequestName, RequestRest, CancelSignal } from "claw-contract";
import type { OpenChannel } from "./connection/channel.ts";
import type { Bearer, Identity, ResumeState } from "./connection/hello.ts";
import type { EventSchemas, PublishOptions } from "./publishing/prepare-publish.ts";
import type { Receipt } from "./publishing/spool.ts";
import type {
  DurableOptions,
  DurableSubscription,
  SubscribeOptions,
  Subscription,
} from "./subscriptions/subscription.ts";
import type { Timer } from "./platform.ts";

export type ClientStatus = "connecting" | "open" | "closed";

export interface ClientOptions {
  /** How the bus is reached; called again for every connection. */
  readonly channel: OpenChannel;
  /** For people; need not be unique. */
  readonly name: string;
  /** Additional capabilities of the wire to ask the bus for. */
  readonly capabilities?: readonly string[];
  /**
   * A token, or a function that returns one before every connection. When the bus refuses the token, the function is
   * called once more. An error it throws counts as a failed attempt; an error of the catalogue's class `auth` ends the
   * client.
   */
  readonly bearer?: Bearer;
  /** Terminal the client runs in. */
  readonly terminalId?: string;
  /** Correlation id of the worker that this client is there to watch. */
  readonly monitors?: string;
  /** A secret of the caller: the same secret, name and role give the same peer id, also in a later process. */
  readonly instance?: string;
  /** Continues as the peer of an earlier process. */
  readonly resume?: ResumeState;
  /** Failed attempts to connect in a row before every call is rejected with BUS_UNREACHABLE; unlimited by default. */
  readonly attempts?: number;
  readonly timer?: Timer;
  /** Names and checks events before they are sent. Defaults to the contract's schemas, loaded with the first event. */
  readonly schemas?: EventSchemas;
  /** Told whenever the connection comes or goes. */
  readonly onStatus?: (status: ClientStatus) => void;
  /** Closes the client. */
  readonly signal?: CancelSignal;
}

/** A peer of the bus. Connects by itself, and again whenever the connection ends. */
export interface Client {
  readonly name: string;
  /** This client's peer id; undefined before the first connection. A bus that forgot the client assigns a new one. */
  peerId(): string | undefined;
  status(): ClientStatus;
  /** Resolves at the first connection. Rejects when the client is refused, gives up or is closed before. */
  ready(): Promise<Identity>;
  /**
   * Publishes data in an envelope made for it; `{self}` in the topic stands for this peer's id. Waits for a connection,
   * and sends the event again under the same id after a lost connection. Resolves with the receipt. Rejects with
   * PUBLISH_INVALID before anything is sent, with the bus's refusal, with SPOOL_FULL, or with BUS_CLOSED.
   */
  publish(topic: string, data: unknown, options?: PublishOptions): Promise<Receipt>;
  subscribe(pattern: string, options?: SubscribeOptions): Subscription;
  subscribeDurable(pattern: string, options: DurableOptions): DurableSubscription;
  /**
   * Sends a request of the wire; resolves with the reply. Waits for a connection, but sends the request only once:
   * rejects with BUS_UNREACHABLE when the connection ended before the reply, with the bus's refusal, and with
   * BUS_INCOMPATIBLE when the reply is not what the contract promises.
   */
  request<Name extends RequestName>(name: Name, ...rest: RequestRest<Name>): Promise<ReceivedReply<Name>>;
  /**
   * Like `request`, for long replies that are handed on: resolves with the line of the reply, which was neither parsed
   * nor checked.
   */
  requestText<Name extends RequestName>(name: Name, ...rest: RequestRest<Name>): Promise<string>;
  /** Resolves when no publish waits for its receipt any more. */
  flush(): Promise<void>;
  /** Lets another process continue as this peer, which shuts this client out; undefined before the first connection. */
  resumeState(): ResumeState | undefined;
  /** Ends subscriptions, rejects waiting calls with BUS_CLOSED, hangs up. Resolves when done. Idempotent. */
  close(): Promise<void>;
}
