import type { NoticeKind } from "claw-contract";
import { LIMITS, noticeOf } from "claw-contract";
import type { EventLog, StoredEvent } from "../../bus/index.ts";
import { fieldsOf, parsePayload } from "../../bus/index.ts";
import type { FileSystem } from "../../files/index.ts";
import { errnoOf, readJsonFile, writeFileAtomically } from "../../files/index.ts";
import type { Attempted, Deliver } from "./channels.ts";
import type { NoticeDelivery } from "./notice-body.ts";
import { noticeContent } from "./notice-body.ts";

/** How far a channel has delivered. Written after each delivery, so that a crash repeats one delivery at most. */
interface Position {
  readonly epoch: string;
  readonly sequence: number;
  /** Times of the last notices in milliseconds, by kind and worker. */
  readonly last: readonly [key: string, at: number][];
}

export interface QueueOptions {
  readonly log: Pick<EventLog, "epoch" | "head" | "oldest" | "read">;
  readonly fs: FileSystem;
  /** File of the position. */
  readonly path: string;
  readonly nameOf: (peerId: string) => string;
  /** Whether an event counts nowhere. */
  readonly isIgnored: (sequence: number) => boolean;
  readonly now: () => number;
  readonly report: (problem: string) => void;
  /** Tells the daemon's clock that there may be a new due time. */
  readonly touch: () => void;
  readonly signal: AbortSignal;
  /** Waits between two attempts. Resolves at once when the signal is aborted. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** What the settings say at the moment. */
export interface QueueSettings {
  readonly deliver: Deliver;
  readonly on: ReadonlySet<NoticeKind>;
  readonly content: boolean;
}

const LAST_KEPT = 1000;
/** After so many events without a notice the position is written, so that a start need not read them again. */
const WRITE_EVERY = 5000;

/** The topics of notices begin so; the payloads of other events are not read. */
const isCandidate = ({ topic, from }: StoredEvent): boolean =>
  from === "server" && (topic.startsWith("system.worker.") || topic === "system.approval.opened");

/** Delivers the notices of the log on one channel, in order, each at least once. */
export class NotifyQueue {
  readonly #options: QueueOptions;
  #position: Position;
  #written: number;
  #running = false;
  #retryAt = -Infinity;

  constructor(options: QueueOptions) {
    this.#options = options;
    const { log, path } = options;
    const { epoch, sequence, last = [] } = readJsonFile<Position>(path, LIMITS.settingsBytes) ?? {};
    // Before the first notice, and for another log, nothing of the past is told.
    const isOurs = epoch === log.epoch && sequence !== undefined && sequence <= log.head();
    this.#position = isOurs ? { epoch, sequence, last } : { epoch: log.epoch, sequence: log.head(), last: [] };
    this.#written = -1;
    this.#write(this.#position);
  }

  /** Delivers what is due. Returns when the next attempt is due, in milliseconds. */
  wake(settings: QueueSettings): number {
    const { now, signal, log } = this.#options;
    if (now() < this.#retryAt) return this.#retryAt;
    if (this.#running || signal.aborted || this.#position.sequence >= log.head()) return Infinity;
    this.#running = true;
    void this.#run(settings);
    return Infinity;
  }

  /** Resolves when nothing is being delivered; the signal was aborted before. */
  async whenIdle(): Promise<void> {
    while (this.#running) await new Promise((resolve) => setImmediate(resolve));
    this.#write(this.#position);
  }

  async #run(settings: QueueSettings): Promise<void> {
    const { log, signal, report, touch } = this.#options;
    try {
      while (!signal.aborted && this.#position.sequence < log.head()) {
        const { events, through } = await log.read(this.#position.sequence);
        for (const event of events) if (!(await this.#take(event, settings))) return;
        this.#advance(Math.max(through, this.#position.sequence + (events.length === 0 ? 1 : 0)));
      }
    } catch (error) {
      report(`notices wait: ${String(error)}`);
      this.#retryAt = this.#options.now() + LIMITS.notifyRetryFirstMs;
    } finally {
      this.#running = false;
      touch();
    }
  }

  /** Takes an event in. False when its notice was not delivered because the daemon ends. */
  async #take(event: StoredEvent, settings: QueueSettings): Promise<boolean> {
    const delivery = this.#deliveryFor(event, settings);
    if (delivery !== undefined && !(await this.#insist(delivery, settings.deliver))) return false;
    if (delivery === undefined) {
      this.#position = { ...this.#position, sequence: event.sequence };
      return true;
    }
    const last = [
      ...this.#position.last,
      [`${delivery.kind} ${delivery.peerId ?? ""}`, Date.parse(event.tsServer)] as const,
    ];
    this.#position = {
      ...this.#position,
      sequence: event.sequence,
      last: last.slice(-LAST_KEPT).map(([key, at]) => [key, at]),
    };
    this.#write(this.#position);
    return true;
  }

  #deliveryFor(event: StoredEvent, { on, content }: QueueSettings): NoticeDelivery | undefined {
    if (!isCandidate(event) || this.#options.isIgnored(event.sequence)) return undefined;
    const { topic, from, tsServer, sequence } = event;
    const notice = noticeOf({ topic, from, data: fieldsOf(parsePayload(event.payload)) });
    if (notice === undefined || !on.has(notice.kind)) return undefined;
    const { now, log, nameOf } = this.#options;
    const at = Date.parse(tsServer);
    const key = `${notice.kind} ${notice.peerId}`;
    const before = this.#position.last.findLast(([each]) => each === key)?.[1] ?? -Infinity;
    if (at - before < LIMITS.notifyTogetherMs || now() - at > LIMITS.notifyKeptMs) return undefined;
    return {
      id: `${log.epoch}:${sequence}`,
      kind: notice.kind,
      peerId: notice.peerId,
      ts: tsServer,
      content: content ? noticeContent(notice, nameOf(notice.peerId)) : null,
    };
  }

  /** Tries again and again until the notice is delivered or given up. False when the daemon ends before. */
  async #insist(delivery: NoticeDelivery, deliver: Deliver): Promise<boolean> {
    const { signal, now, report, pause: wait = waitFor } = this.#options;
    let pause: number = LIMITS.notifyRetryFirstMs;
    for (let attempt = 1; !signal.aborted; attempt += 1) {
      const { delivered, detail }: Attempted = await deliver(delivery, attempt, signal);
      if (delivered) return true;
      if (signal.aborted) return false;
      const isLate = now() - Date.parse(delivery.ts) > LIMITS.notifyKeptMs;
      report(`notice ${delivery.id} was not delivered${isLate ? ", and is given up" : ""}: ${detail}`);
      if (isLate) return true;
      await wait(pause, signal);
      pause = Math.min(pause * 2, LIMITS.notifyRetryMostMs);
    }
    return false;
  }

  #advance(sequence: number): void {
    this.#position = { ...this.#position, sequence };
    if (sequence - this.#written >= WRITE_EVERY) this.#write(this.#position);
  }

  #write(position: Position): void {
    const { fs, path, report } = this.#options;
    if (position.sequence === this.#written) return;
    try {
      writeFileAtomically(fs, path, JSON.stringify(position));
      this.#written = position.sequence;
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      report(`the place of the notices was not stored: ${String(error)}`);
    }
  }
}

const waitFor = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end, { once: true });
    if (signal.aborted) end();
  });
