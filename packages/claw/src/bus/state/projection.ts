import { matchSegments } from "claw-contract";
import type { Fence } from "../leases/fence.ts";
import { createFence } from "../leases/fence.ts";
import type { StoredEvent } from "../log/index.ts";
import { parsePayload } from "../wire/read-payload.ts";

/** State that follows from the log alone. After a restart, the same events rebuild the state. */
export interface Projection {
  /** Patterns of the topics whose events the projection takes in. */
  readonly patterns: readonly string[];
  /**
   * Decides by the payload's text whether the event is wanted, which saves parsing. Without this function, every event
   * is wanted.
   */
  wants?(event: StoredEvent): boolean;
  /**
   * How the projection takes in a worker's log entry, the most frequent event of all. `ignored`: a log entry never
   * changes the projection. A function takes the entry in by its time alone, or returns false when the entry changes
   * more. Then, and without this field, `apply` gets the entry like any event.
   */
  readonly logEntries?: "ignored" | ((event: StoredEvent) => boolean);
  /** Takes in one committed event. The payload is parsed; it may be anything. Must not throw. */
  apply(event: CommittedEvent): void;
}

/** A projection whose state can be saved and loaded later, instead of applying all events again. */
export interface StoredProjection extends Projection {
  /** The whole state that later events build on, as plain JSON. */
  save(): unknown;
  /** Loads the result of `save`. Called once, before the first event. */
  load(saved: unknown): void;
}

export interface CommittedEvent {
  readonly topic: string;
  readonly from: string;
  readonly tsServer: string;
  readonly sequence: number;
  /** The machine whose daemon stored the event; absent in a log with one writer. */
  readonly machine?: string | undefined;
  readonly payload: unknown;
  /** False while history is told again: effects on the outside are not repeated. */
  readonly live: boolean;
}

export interface Projections {
  /**
   * Applies an event to each projection that wants it. Payloads that no projection wants are not parsed. False for an event
   * that the fence ignores.
   */
  apply(event: StoredEvent, live: boolean): boolean;
  /** Tells which events count, as far as events have been applied. */
  readonly fence: Fence;
  /** Applies a log entry of a worker: the same state follows as from `apply`, mostly at a smaller cost. */
  applyLogEntry(event: StoredEvent, live: boolean): boolean;
  /** The sequence up to which events have been applied. */
  through(): number;
  /** Declares that the projections already include all events up to a sequence. */
  startAfter(sequence: number): void;
  /**
   * Holds back the events of other machines while history is told: the reader of the history finds them in the log. Called
   * with false when the end of the log is reached.
   */
  holdBack(isTelling: boolean): void;
  /** Whether an event that the feed brings now is to be applied: it is new, and no history is being told. */
  isDue(event: StoredEvent): boolean;
}

const REMEMBERED_TOPICS = 10_000;

/** The projections that take in events of a topic. */
interface Interested {
  readonly all: readonly Projection[];
  /** Called with each log entry; undefined when a projection needs log entries as whole events. */
  readonly takeLogEntry: readonly ((event: StoredEvent) => boolean)[] | undefined;
}

function interestedOf(all: readonly Projection[]): Interested {
  const isWhole = all.some(({ logEntries }) => logEntries === undefined);
  const takers = all.flatMap(({ logEntries = "ignored" }) => (logEntries === "ignored" ? [] : [logEntries]));
  return { all, takeLogEntry: isWhole ? undefined : takers };
}

/** Finds the projections of a topic. Calls `all` once, when the first topic is asked for. */
function createInterests(all: () => readonly Projection[]): (topic: string) => Interested {
  let compiled: readonly { readonly projection: Projection; readonly patterns: readonly string[][] }[] | undefined;
  const compile = (): NonNullable<typeof compiled> =>
    all().map((projection) => ({ projection, patterns: projection.patterns.map((text) => text.split(".")) }));
  const byTopic = new Map<string, Interested>();
  return (topic) => {
    const known = byTopic.get(topic);
    if (known !== undefined) return known;
    const segments = topic.split(".");
    compiled ??= compile();
    const found = interestedOf(
      compiled
        .filter(({ patterns }) => patterns.some((pattern) => matchSegments(pattern, segments)))
        .map(({ projection }) => projection),
    );
    if (byTopic.size >= REMEMBERED_TOPICS) byTopic.clear();
    byTopic.set(topic, found);
    return found;
  };
}

/** Calls `all` once, when the first event arrives. Calls `note` with every event, after all projections. */
export function createProjections(
  all: () => readonly Projection[],
  note: (event: StoredEvent) => void = () => undefined,
): Projections {
  const interested = createInterests(all);
  const fence = createFence();
  let through = 0;
  let isTelling = true;
  const taken = (event: StoredEvent, counts: boolean): boolean => {
    note(event);
    return counts;
  };
  const apply = (event: StoredEvent, live: boolean): boolean => {
    through = event.sequence;
    if (!fence.admits(event)) return taken(event, false);
    let committed: CommittedEvent | undefined;
    for (const projection of interested(event.topic).all) {
      if (projection.wants?.(event) === false) continue;
      committed ??= { ...event, payload: parsePayload(event.payload), live };
      projection.apply(committed);
    }
    return taken(event, true);
  };
  return {
    fence,
    through: () => through,
    startAfter: (sequence) => {
      through = sequence;
    },
    holdBack: (telling) => {
      isTelling = telling;
    },
    isDue: ({ machine, sequence }) => machine === undefined || (!isTelling && sequence > through),
    apply,
    applyLogEntry: (event, live) => {
      const takers = interested(event.topic).takeLogEntry;
      const isSmall = takers !== undefined && fence.admits(event) && takers.every((take) => take(event));
      if (!isSmall) return apply(event, live);
      through = event.sequence;
      return taken(event, true);
    },
  };
}

/** Puts entries back into a map, in their order, which for some maps says what is forgotten first. */
export function refill<Key, Value>(map: Map<Key, Value>, entries: Iterable<readonly [Key, Value]>): void {
  for (const [key, value] of entries) map.set(key, value);
}
