/** An event as its publisher sent it, by which a repetition is recognised. */
export interface SentEvent {
  readonly id: string;
  /** The text of the publisher's own fields. */
  readonly body: string;
}

/** The lease under which a daemon wrote an event. */
export interface LeaseMark {
  readonly key: string;
  /** Of two holders of the lease, the later one has the higher number. */
  readonly number: number;
}

/** An event on its way into the log. Texts that go into a log line as they are. */
export interface NewEvent {
  readonly topic: string;
  readonly from: string;
  /** ISO time of the server. */
  readonly tsServer: string;
  /** JSON text; undefined when the publisher sent none. */
  readonly payload: string | undefined;
  /**
   * Set when the publisher may send the event again. A log with several writers stores one event for a `from` and an id:
   * a repetition is told the sequence of the first, and the same id with another body fails with PUBLISH_CONFLICT.
   */
  readonly sent?: SentEvent | undefined;
  /**
   * The lease under which this daemon writes. `own`: the lease of its machine's name. A log with one writer stores none.
   */
  readonly lease?: LeaseMark | "own" | undefined;
}

export interface StoredEvent extends Omit<NewEvent, "sent" | "lease"> {
  readonly sequence: number;
  /** The machine whose daemon stored the event; absent in a log with one writer. */
  readonly machine?: string | undefined;
  /** The lease under which the daemon wrote the event; see `Fence`. */
  readonly lease?: LeaseMark | undefined;
}

/** What the feed is told of an event that was appended here, besides the event. */
export interface OwnEvent {
  /** Whether the publisher's own subscriptions get the event. */
  readonly echo: boolean;
  /** Whether the event is a plain log entry of a worker. */
  readonly isLogEntry: boolean;
}

/**
 * Takes every committed event once, in the order of the sequences: those appended here, with `own`, and those that other
 * writers appended. Returns how many live subscriptions got the event, or `IGNORED` for an event that counts nowhere. Must
 * not throw.
 */
export type Feed = (event: StoredEvent, own: OwnEvent | undefined) => number;

/** Told once for each appended event, in the order of their appending. */
export interface CommitListener {
  /** Handed on to the feed. */
  readonly own?: OwnEvent;
  /**
   * The feed has taken the event, and returned `deliveredTo`; 0 without a feed. `duplicate` says that the event was stored
   * before, under the same id.
   */
  committed(sequence: number, deliveredTo: number, duplicate?: boolean): void;
  /** Nothing of the event was stored, and nothing will be; or what was stored counts nowhere. */
  failed(error: Error): void;
}

export interface LogBatch {
  readonly events: readonly StoredEvent[];
  /** Last sequence that the read covered. The next read continues after this sequence. */
  readonly through: number;
}

/**
 * The one record of what happened. Sequences start at 1 and grow by one with each committed event, across restarts
 * and crashes.
 */
export interface EventLog {
  /** The machine of this daemon in a log with several writers; absent in a log with one writer. */
  readonly machine?: string;
  /** Four digits; changes only when the log is replaced by another. */
  readonly epoch: string;
  /** The newest committed sequence; 0 when nothing was ever stored. */
  head(): number;
  /** The oldest sequence that can still be read; `head() + 1` when none can. */
  oldest(): number;
  /**
   * Gives the feed every event that is committed from now on, by this or another writer. A later feed takes the place of
   * an earlier one. What an event changes hangs on the feed alone, so it happens in every daemon that follows the log.
   */
  follow(feed: Feed): void;
  /**
   * Stores an event. The listener is told when it is as safe as the log's durability promises and the feed has taken it,
   * or that it was not stored; never before this call returns.
   */
  append(event: NewEvent, listener: CommitListener): void;
  /**
   * Stores the events appended until now, if the log need not wait for a disk; then their listeners are told before the
   * call returns. Other events are stored at the end of the current turn. Never called by a listener.
   */
  flush(): void;
  /**
   * The next committed events after a sequence, oldest first, at most about `maxBytes` of them, by default
   * `LIMITS.logReadBytes`; a log in memory or on other machines may give less. An empty batch means the head was
   * reached. Events that retention removed are left out, which shows in the sequences.
   */
  read(after: number, maxBytes?: number): Promise<LogBatch>;
  /** The newest sequence stored before that time; 0 when there is none. */
  sequenceAt(time: Date): Promise<number>;
  /** Commits what was appended, then refuses more; all of it can still be read. Resolves when it is done. Idempotent. */
  close(): Promise<void>;
}
