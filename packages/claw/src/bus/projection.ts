import { matchSegments } from "@claw/contract";
import type { StoredEvent } from "./log/index.ts";
import { parsePayload } from "./read-payload.ts";

/** State that follows from the log alone: what it was told of can be told again after a restart. */
export interface Projection {
  /** Topics it is told of. */
  readonly patterns: readonly string[];
  /** A look at the payload's text that spares parsing it. Everything is wanted when there is none. */
  wants?(event: StoredEvent): boolean;
  /** Takes in one committed event. The payload is parsed; it may be anything. Must not throw. */
  apply(event: CommittedEvent): void;
}

/** A projection whose knowledge can be written down, to be taken up later instead of being told everything again. */
export interface StoredProjection extends Projection {
  /** Everything that later events build on, as plain JSON. */
  save(): unknown;
  /** Takes up what `save` gave. Called once, before the first event. */
  load(saved: unknown): void;
}

export interface CommittedEvent {
  readonly topic: string;
  readonly from: string;
  readonly tsServer: string;
  readonly sequence: number;
  readonly payload: unknown;
  /** False while history is told again: effects on the outside are not repeated. */
  readonly live: boolean;
}

export interface Projections {
  /** Tells whoever wants to know. Payloads nobody wants are not parsed. */
  apply(event: StoredEvent, live: boolean): void;
  /** The sequence up to which they have been told. */
  through(): number;
  /** Says that they know everything up to a sequence already. */
  startAfter(sequence: number): void;
}

const REMEMBERED_TOPICS = 10_000;

/** `all` is asked once, when the first event comes. `note` hears of every event, after everybody else. */
export function createProjections(
  all: () => readonly Projection[],
  note: (event: StoredEvent) => void = () => undefined,
): Projections {
  let compiled: readonly { readonly projection: Projection; readonly patterns: readonly string[][] }[] | undefined;
  const compile = (): NonNullable<typeof compiled> =>
    all().map((projection) => ({ projection, patterns: projection.patterns.map((text) => text.split(".")) }));
  const byTopic = new Map<string, readonly Projection[]>();
  const interested = (topic: string): readonly Projection[] => {
    const known = byTopic.get(topic);
    if (known !== undefined) return known;
    const segments = topic.split(".");
    compiled ??= compile();
    const found = compiled
      .filter(({ patterns }) => patterns.some((pattern) => matchSegments(pattern, segments)))
      .map(({ projection }) => projection);
    if (byTopic.size >= REMEMBERED_TOPICS) byTopic.clear();
    byTopic.set(topic, found);
    return found;
  };
  let through = 0;
  return {
    through: () => through,
    startAfter: (sequence) => {
      through = sequence;
    },
    apply: (event, live) => {
      through = event.sequence;
      let committed: CommittedEvent | undefined;
      for (const projection of interested(event.topic)) {
        if (projection.wants?.(event) === false) continue;
        committed ??= { ...event, payload: parsePayload(event.payload), live };
        projection.apply(committed);
      }
      note(event);
    },
  };
}
