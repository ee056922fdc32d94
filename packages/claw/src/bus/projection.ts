import { matchSegments } from "@claw/contract";
import type { EventLog, StoredEvent } from "./log/index.ts";
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
}

const REMEMBERED_TOPICS = 10_000;

/** `all` is asked once, when the first event comes. */
export function createProjections(all: () => readonly Projection[]): Projections {
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
  return {
    apply: (event, live) => {
      let committed: CommittedEvent | undefined;
      for (const projection of interested(event.topic)) {
        if (projection.wants?.(event) === false) continue;
        committed ??= { ...event, payload: parsePayload(event.payload), live };
        projection.apply(committed);
      }
    },
  };
}

/** Tells projections everything the log holds, oldest first. */
export async function rebuild(log: EventLog, projections: Projections): Promise<void> {
  for (let after = log.oldest() - 1; ;) {
    const { events, through } = await log.read(after);
    if (events.length === 0) return;
    for (const event of events) projections.apply(event, false);
    after = through;
  }
}
