import type { StreamInfo } from "@nats-io/jetstream";
import type { Msg } from "@nats-io/transport-node";
import { findStream } from "./find-stream.ts";
import type { OrderedFeed } from "./ordered-feed.ts";
import { createOrderedFeed } from "./ordered-feed.ts";
import type { SeenStream } from "./stream-epoch.ts";
import { isSameStream } from "./stream-epoch.ts";
import { messageIdOf } from "./stream-message.ts";
import type { StreamPlace } from "./stream-place.ts";
import type { StreamBounds, StreamReader } from "./stream-reader.ts";

const AGAIN_MS = 250;
/** How often a follower looks whether the feed stands still although the stream goes on. */
const LOOK_MS = 5000;

export interface FollowerOptions {
  readonly place: StreamPlace;
  readonly reader: Pick<StreamReader, "find">;
  /** Where the stream stands when it is opened. */
  readonly start: { readonly head: number; readonly mark: string; readonly oldest: number };
  /** Takes each message once, in the order of the sequences. */
  readonly take: (message: Msg, sequence: number) => void;
  /** Called when the feed has reached what was stored when it began, or began anew. */
  readonly reached: () => void;
  /** Called once when the stream is no longer the one that was opened. Nothing is followed any more. */
  readonly replaced: (why: string) => void;
  readonly lookMs?: number;
}

/** Where the feed and the stream stood at a look. */
interface Stand {
  readonly head: number;
  readonly newest: number;
}

/**
 * Follows a stream across losses of the connection and of the consumer. Before it goes on, it looks whether the stream is
 * still the one it followed.
 */
export class StreamFollower {
  readonly #options: FollowerOptions;
  readonly #feed: OrderedFeed;
  readonly #unfollow: () => void;
  readonly #timer: NodeJS.Timeout;
  #stand: Stand = { head: 0, newest: 0 };
  #head: number;
  #mark: string;
  #oldest: number;
  /** The sequence at which the feed has caught up. */
  #target = 0;
  #ready = false;
  #over = false;
  #recovering = false;
  #losses = 0;
  #wake: () => void = () => undefined;

  constructor(options: FollowerOptions) {
    const { place, start } = options;
    this.#options = options;
    this.#head = start.head;
    this.#mark = start.mark;
    this.#oldest = start.oldest;
    this.#feed = createOrderedFeed({
      nats: place.connection.nats,
      manager: place.manager,
      stream: place.stream,
      after: () => this.#head,
      take: (message, sequence) => this.#take(message, sequence),
      lost: () => this.#lose(),
    });
    this.#unfollow = place.connection.onChange(() => this.#lose());
    this.#timer = setInterval(() => void this.#look(), options.lookMs ?? LOOK_MS).unref();
  }

  get head(): number {
    return this.#head;
  }

  get oldest(): number {
    return Math.min(this.#oldest, this.#head + 1);
  }

  /** Whether the feed has caught up and nothing is lost at the moment. */
  get isReady(): boolean {
    return this.#ready;
  }

  seen(): SeenStream {
    const { epoch, created } = this.#options.place;
    return { epoch, created, head: this.#head, mark: this.#mark };
  }

  /** Asks the stream's leader which sequences it has. */
  async findBounds(): Promise<StreamBounds> {
    const { manager, stream } = this.#options.place;
    return this.#note(await manager.streams.info(stream));
  }

  /** Resolves when the feed has caught up, or was ended. */
  async begin(): Promise<void> {
    if (this.#recovering) return;
    this.#recovering = true;
    while (!this.#over && !this.#ready) {
      if (this.#options.place.connection.isConnected()) await this.#tryAgain();
      if (!this.#over && !this.#ready) await this.#rest();
    }
    this.#recovering = false;
  }

  close(): void {
    this.#over = true;
    this.#ready = false;
    this.#wake();
    clearInterval(this.#timer);
    this.#unfollow();
    this.#feed.close();
  }

  #note({ state }: StreamInfo): StreamBounds {
    this.#oldest = Math.max(1, state.first_seq);
    return { oldest: this.#oldest, newest: state.last_seq };
  }

  #take(message: Msg, sequence: number): void {
    this.#head = sequence;
    this.#mark = messageIdOf(message);
    this.#options.take(message, sequence);
    if (!this.#ready && sequence >= this.#target) this.#reach();
  }

  #reach(): void {
    this.#ready = true;
    this.#options.reached();
    this.#wake();
  }

  #lose(): void {
    this.#ready = false;
    this.#losses += 1;
    this.#wake();
    if (!this.#over) void this.begin();
  }

  /**
   * A consumer on a server that is behind may send signs of life and no messages. When the feed has stood still since the
   * last look, although the stream had more by then, the consumer counts as lost.
   */
  async #look(): Promise<void> {
    const { head, newest } = this.#stand;
    const here = this.#head;
    if (here !== head) return void (this.#stand = { head: here, newest: here });
    if (newest > head) {
      this.#stand = { head, newest: head };
      return this.#lose();
    }
    if (!this.#options.place.connection.isConnected()) return undefined;
    // Without an answer, the feed is lost anyway, and notices it.
    const bounds = await this.findBounds().catch(() => undefined);
    if (this.#head === here) this.#stand = { head, newest: bounds?.newest ?? head };
    return undefined;
  }

  #rest(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, AGAIN_MS).unref();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #tryAgain(): Promise<void> {
    const { place } = this.#options;
    try {
      const info = await findStream({ ...place, seen: this.seen() });
      const problem = await this.#problemOf(info);
      if (problem === undefined) await this.#goOn(info);
      else this.#end(problem);
    } catch (error) {
      place.report(`the stream ${place.stream} cannot be followed for now: ${String(error)}`);
    }
  }

  async #goOn(info: StreamInfo): Promise<void> {
    this.#note(info);
    // What retention removed while this daemon was away cannot be brought any more.
    this.#head = Math.max(this.#head, this.#oldest - 1);
    this.#target = info.state.last_seq;
    const losses = this.#losses;
    await this.#feed.begin();
    if (this.#head >= this.#target && losses === this.#losses) this.#reach();
    while (!this.#ready && !this.#over && losses === this.#losses) await this.#rest();
  }

  /** Why the stream is no longer the one that was opened; undefined when it is. */
  async #problemOf(info: StreamInfo): Promise<string | undefined> {
    const { place, reader } = this.#options;
    if (!(await isSameStream(info, this.seen(), reader))) return `${place.stream} was replaced or restored`;
    if ((await place.epochs.current()) !== place.epoch) return `${place.stream} has another epoch`;
    return (await place.isLeft()) ? `the log of ${place.stream} went on elsewhere` : undefined;
  }

  #end(problem: string): void {
    this.close();
    this.#options.replaced(problem);
  }
}
