import type { CancelSignal } from "./cancel-signal.ts";
import type { OpenChannel } from "./channel.ts";
import type { EventSchemas } from "./event-schemas.ts";
import type { Bearer, Identity, ResumeState } from "./hello.ts";
import type { PublishOptions } from "./prepare-publish.ts";
import type { Receipt } from "./spool.ts";
import type { DurableOptions, DurableSubscription, SubscribeOptions, Subscription } from "./subscription.ts";
import type { Timer } from "./timer.ts";
import type { Reply } from "./wire-frame.ts";

export type ClientStatus = "connecting" | "open" | "closed";

export interface ClientOptions {
  /** How the bus is reached; called again for every connection. */
  readonly channel: OpenChannel;
  /** For people; need not be unique. */
  readonly name: string;
  /** Further additions to the wire that the bus is asked for. */
  readonly capabilities?: readonly string[];
  /**
   * A token, or a function that gives one before every connection. When the bus refuses what it gave, it is asked once
   * more. What it throws counts as a failed attempt; an error of the catalogue's class `auth` ends the client.
   */
  readonly bearer?: Bearer;
  /** Terminal the client runs in. */
  readonly terminalId?: string;
  /** Correlation id of the worker that this client is there to watch. */
  readonly monitors?: string;
  /** Goes on as the peer that an earlier process was. */
  readonly resume?: ResumeState;
  /** Attempts to connect in a row that may fail before everything is rejected with BUS_UNREACHABLE; no end without. */
  readonly attempts?: number;
  readonly timer?: Timer;
  /** What events are named and checked by before they are sent; without it the contract's, loaded with the first one. */
  readonly schemas?: EventSchemas;
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
  subscribeDurable(pattern: string, options: DurableOptions): DurableSubscription;
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
