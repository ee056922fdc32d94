import { ClawError, createCancel, CLIENT_LIMITS } from "claw-contract/client";
import type { Channel, OpenChannel } from "./channel.ts";
import { createConnectionMemory, helloCommand, readHello } from "./hello.ts";
import type { HelloOptions, Identity, ResumeState } from "./hello.ts";
import { keepAlive, createLink } from "./link.ts";
import type { Link } from "./link.ts";
import type { Timer } from "../platform.ts";
import { incompatibleError, refusalError, takenOverError, unreachableError } from "./wire-error.ts";
import type { WireReply, SubscriptionFrame } from "./wire-frame.ts";

/**
 * How long to wait before the next attempt, after so many in a row that failed: doubling up to a cap, half of it by
 * chance, so that clients of a restarted bus do not all come at once.
 */
export function backOffMs(failures: number, random: number): number {
  const { retryFirstMs, retryMostMs } = CLIENT_LIMITS;
  const full = Math.min(retryMostMs, retryFirstMs * 2 ** Math.min(failures, 30));
  return Math.round(full / 2 + (full / 2) * random);
}

export interface ConnectionOptions {
  readonly open: OpenChannel;
  readonly hello: HelloOptions;
  readonly resume: ResumeState | undefined;
  readonly timer: Timer;
  /** Failed attempts in a row before the connection is given up. */
  readonly attempts: number;
}

/** Receives the events of a connection, one call at a time. */
export interface ConnectionListener {
  /**
   * The bus accepted the hello. Later frames are handled after this call returns. `forgotten` is true when the bus
   * knows nothing of this client's earlier connections.
   */
  joined(link: Link, identity: Identity, forgotten: boolean): void;
  push(frame: SubscriptionFrame, size: number): void;
  /** Called after `joined` when the connection ended. The client connects again. */
  lost(): void;
  /** The client gives up connecting. No further call follows. */
  failed(error: ClawError): void;
}

/** Connects and sends the hello. Repeats both whenever the connection ends, until closed. */
export class BusConnection {
  readonly #options: ConnectionOptions;
  readonly #listener: ConnectionListener;
  readonly #running: Promise<void>;
  readonly #memory;
  #closed = false;
  /** The link whose hello the bus accepted. */
  #link: Link | undefined;
  /** Ends the current wait: for the channel to open, for the link to end, or for the pause between attempts. */
  #interrupt: () => void = () => undefined;

  constructor(options: ConnectionOptions, listener: ConnectionListener) {
    this.#options = options;
    this.#listener = listener;
    this.#memory = createConnectionMemory(options.resume, options.timer);
    this.#running = this.#run();
  }

  /** Changes with every hello that the bus accepts. */
  resumeState(): ResumeState | undefined {
    return this.#memory.resume();
  }

  /** Resolves when no connection is open any more. The listener is not called. Idempotent. */
  close(): Promise<void> {
    this.#closed = true;
    this.#interrupt();
    return this.#running;
  }

  async #run(): Promise<void> {
    // The owner finishes its constructor before the listener is called.
    await Promise.resolve();
    while (!this.#closed) {
      const cause = await this.#attempt();
      const { attempts, hello } = this.#options;
      if (this.#memory.failures() >= attempts) this.#fail(unreachableError(hello.name, cause));
      if (!this.#closed) await this.#pause();
    }
  }

  /** Opens one connection and runs it to the end. Resolves with the error when opening failed. */
  async #attempt(): Promise<unknown> {
    this.#memory.began();
    const opening = createCancel();
    this.#interrupt = () => opening.cancel();
    let channel: Channel;
    let bearer: string | undefined;
    try {
      bearer = await bearerOf(this.#options.hello);
      if (this.#closed) return undefined;
      channel = await this.#options.open(opening.signal);
    } catch (cause) {
      // The bearer function has no token to return.
      if (cause instanceof ClawError && cause.code.startsWith("TOKEN_")) this.#fail(cause);
      return cause;
    }
    await this.#live(channel, bearer);
    return undefined;
  }

  async #live(channel: Channel, bearer: string | undefined): Promise<void> {
    if (this.#closed) return channel.close();
    const link = createLink(channel);
    this.#interrupt = () => link.close();
    const stop = keepAlive(link, this.#options.timer);
    link.call(helloCommand(this.#options.hello, bearer, this.#memory.resume()), (reply) => {
      if (reply !== undefined && !this.#closed) this.#greeted(link, reply);
    });
    await link.run((push, size) => {
      if (this.#link !== link) return;
      if (push.push === "fenced") this.#fail(takenOverError(this.#options.hello.name));
      else this.#listener.push(push, size);
    });
    stop();
    if (this.#link !== link) return undefined;
    this.#link = undefined;
    this.#memory.lost();
    if (!this.#closed) this.#listener.lost();
    return undefined;
  }

  #greeted(link: Link, reply: WireReply): void {
    const { name, bearer } = this.#options.hello;
    if (!reply.ok) {
      const error = refusalError("hello", name, reply);
      const again = typeof bearer === "function" && RENEWABLE.has(error.code) && this.#memory.refused();
      return again ? link.close() : this.#fail(error);
    }
    const welcome = readHello(reply);
    if (welcome.kind === "incompatible") return this.#fail(incompatibleError(name, welcome.missing));
    const forgotten = this.#memory.joined(welcome);
    this.#link = link;
    return this.#listener.joined(link, welcome.identity, forgotten);
  }

  #pause(): Promise<void> {
    const { timer } = this.#options;
    return new Promise((resolve) => {
      const cancel = timer.after(backOffMs(this.#memory.setbacks(), timer.random()), resolve);
      this.#interrupt = () => {
        cancel();
        resolve();
      };
    });
  }

  #fail(error: ClawError): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#interrupt();
    this.#listener.failed(error);
  }
}

/** Refusals that another token may overcome. */
const RENEWABLE: ReadonlySet<string> = new Set(["TOKEN_INVALID", "TOKEN_EXPIRED"]);

const bearerOf = async ({ bearer }: HelloOptions): Promise<string | undefined> =>
  typeof bearer === "function" ? bearer() : bearer;
