import { ClawError } from "@claw/contract";
import { backOffMs } from "./back-off.ts";
import type { Channel, OpenChannel } from "./channel.ts";
import type { HelloOptions, Identity, ResumeState } from "./hello.ts";
import { helloCommand, readHello } from "./hello.ts";
import { keepAlive } from "./keep-alive.ts";
import type { Link } from "./link.ts";
import { createLink } from "./link.ts";
import type { Timer } from "./timer.ts";
import { refusalError } from "./wire-error.ts";
import type { DeliveryFrame } from "./wire-frame.ts";

export interface ConnectionOptions {
  readonly open: OpenChannel;
  readonly hello: HelloOptions;
  readonly resume: ResumeState | undefined;
  readonly timer: Timer;
  /** Attempts in a row that may fail before it is given up. */
  readonly attempts: number;
}

/** What the owner of a connection is told, one call at a time. */
export interface ConnectionListener {
  /** Introduced. Frames that follow are looked at after this returns. */
  joined(link: Link, identity: Identity): void;
  push(frame: DeliveryFrame, size: number): void;
  /** Told after `joined` when the connection ended. It will be tried again. */
  lost(): void;
  /** It will not be tried again. Nothing follows. */
  failed(error: ClawError): void;
}

/** Connects, introduces, and does it again whenever the connection ends, until closed. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #listener: ConnectionListener;
  readonly #running: Promise<void>;
  #resume: ResumeState | undefined;
  #failures = 0;
  #closed = false;
  /** The link that is introduced. */
  #link: Link | undefined;
  /** Ends what is being waited for. */
  #interrupt: () => void = () => undefined;

  constructor(options: ConnectionOptions, listener: ConnectionListener) {
    this.#options = options;
    this.#listener = listener;
    this.#resume = options.resume;
    this.#running = this.#run();
  }

  /** Changes with every hello that the bus accepts. */
  resumeState(): ResumeState | undefined {
    return this.#resume;
  }

  /** Resolves when nothing is open any more. Nothing is told to the listener. Idempotent. */
  close(): Promise<void> {
    this.#closed = true;
    this.#interrupt();
    return this.#running;
  }

  async #run(): Promise<void> {
    // The owner finishes its own making before it is told anything.
    await Promise.resolve();
    while (!this.#closed) {
      const cause = await this.#attempt();
      if (this.#failures >= this.#options.attempts) this.#fail(unreachable(this.#options.hello.name, cause));
      if (!this.#closed) await this.#pause();
    }
  }

  /** One connection from its opening to its end; gives what kept it from opening. */
  async #attempt(): Promise<unknown> {
    this.#failures += 1;
    let channel: Channel;
    try {
      channel = await this.#options.open();
    } catch (cause) {
      return cause;
    }
    await this.#live(channel);
    return undefined;
  }

  async #live(channel: Channel): Promise<void> {
    if (this.#closed) return channel.close();
    const link = createLink(channel);
    this.#interrupt = () => link.close();
    const stop = keepAlive(link, this.#options.timer);
    this.#introduce(link);
    await link.run((push, size) => {
      if (this.#link !== link) return;
      if (push.push === "fenced") this.#fail(takenOver(this.#options.hello.name));
      else this.#listener.push(push, size);
    });
    stop();
    if (this.#link !== link) return undefined;
    this.#link = undefined;
    if (!this.#closed) this.#listener.lost();
    return undefined;
  }

  #introduce(link: Link): void {
    const { hello } = this.#options;
    link.call(helloCommand(hello, this.#resume), (reply) => {
      if (reply === undefined || this.#closed) return;
      if (!reply.ok) return this.#fail(refusalError("hello", hello.name, reply));
      const welcome = readHello(reply);
      if (welcome.kind === "incompatible") return this.#fail(incompatible(hello.name, welcome.missing));
      if (welcome.resumeToken !== undefined) this.#resume = { resumeToken: welcome.resumeToken };
      this.#failures = 0;
      this.#link = link;
      return this.#listener.joined(link, welcome.identity);
    });
  }

  #pause(): Promise<void> {
    const { timer } = this.#options;
    return new Promise((resolve) => {
      const cancel = timer.after(backOffMs(Math.max(0, this.#failures - 1), timer.random()), resolve);
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

const unreachable = (target: string, cause: unknown): ClawError =>
  new ClawError("BUS_UNREACHABLE", "nobody answers on the bus", { operation: "connect", target, cause });

const incompatible = (target: string, missing: readonly string[]): ClawError =>
  new ClawError("BUS_INCOMPATIBLE", `the bus does not offer ${missing.join(" and ")}`, { operation: "hello", target });

const takenOver = (target: string): ClawError =>
  new ClawError("PEER_TAKEN_OVER", "another process goes on as this peer", { operation: "connect", target });
