import { computed, effect, signal } from "@preact/signals";
import type { ReadonlySignal, Signal } from "@preact/signals";
import type { EventItem } from "claw-client";
import { epochOf } from "claw-contract/client";
import { createActions } from "./actions.ts";
import type { Actions } from "./actions.ts";
import type { EventRing } from "./event-ring.ts";
import { createEventRing, EVENT_ROWS } from "./event-ring.ts";
import { eventRowOf } from "./event-row.ts";
import type { Feed, FeedTarget } from "./event-feed.ts";
import { cursorBefore, FIRST_EVENTS, followLog, readLog, sequenceIn } from "./event-feed.ts";
import type { Ladders } from "./ladders.ts";
import { takeLadder } from "./ladders.ts";
import type { Link, LinkState, PageClient, PageSession } from "./link.ts";
import { openLink } from "./link.ts";
import type { Moment, MomentRef } from "./moment.ts";
import { fetchMoment } from "./moment.ts";
import { messageOf } from "../text/message-of.ts";
import { changesFleet, withVerdict } from "./patch-worker.ts";
import type { Refresher } from "./refresher.ts";
import { createRefresher } from "./refresher.ts";
import { watchHidden } from "./watch-hidden.ts";

/** What the page knows, and the only way to the bus. Views read signals and keep no copy. */
export interface Store {
  readonly link: ReadonlySignal<LinkState>;
  readonly session: ReadonlySignal<PageSession | null>;
  readonly isOutdated: ReadonlySignal<boolean>;
  /** The moment that is shown; null before the first answer. */
  readonly moment: ReadonlySignal<Moment | null>;
  /** Which moment is wanted: null is now. */
  readonly past: Signal<MomentRef>;
  /** Cursor of the moment of the past that is shown; null while the page is live. */
  readonly cut: ReadonlySignal<string | null>;
  /** Why the wanted moment cannot be shown. */
  readonly momentError: ReadonlySignal<string | null>;
  /** Share of the log that the daemon has read for the wanted moment; null while none is waited for. */
  readonly progress: ReadonlySignal<number | null>;
  readonly events: EventRing;
  /** Grows with every change of `events`. */
  readonly eventsVersion: ReadonlySignal<number>;
  readonly ladders: ReadonlySignal<Ladders>;
  /** The clock that ages and times left are counted by; ticks every second. */
  readonly now: ReadonlySignal<number>;
  /** Whether buttons that change something may be used: connected, an orchestrator, and not in the past. */
  readonly canAct: ReadonlySignal<boolean>;
  readonly act: Actions;
  /** Asks for the moment soon. */
  look(): void;
  /** Reads events from before the first one. Resolves with their number; 0 when there are no older ones, or no room. */
  loadOlder(): Promise<number>;
  /** Reads older events until the event at a cursor is among them, or there is no room. */
  loadAround(cursor: string): Promise<void>;
  /** Ends the session of this browser. */
  readonly signOut: () => Promise<void>;
  readonly client: () => PageClient | null;
  close(): Promise<void>;
}

const TICK_MS = 1000;

/** The signals that a flow fills. */
export interface FlowState {
  readonly moment: Signal<Moment | null>;
  readonly past: Signal<MomentRef>;
  readonly momentError: Signal<string | null>;
  readonly progress: Signal<number | null>;
  readonly eventsVersion: Signal<number>;
  readonly ladders: Signal<Ladders>;
  readonly events: EventRing;
}

/** The state of a page that has read nothing yet. */
export const createFlowState = (): FlowState => ({
  moment: signal(null),
  past: signal(null),
  momentError: signal(null),
  progress: signal(null),
  eventsVersion: signal(0),
  ladders: signal(new Map()),
  events: createEventRing(),
});

function takeEvents(state: FlowState, items: readonly EventItem[], refresher: Refresher): void {
  state.events.append(items.map(eventRowOf));
  state.eventsVersion.value += 1;
  state.ladders.value = items.reduce(takeLadder, state.ladders.peek());
  const known = state.moment.peek();
  if (known === null || state.past.peek() !== null) return;
  const verdicts = items.filter(({ topic }) => topic === "system.worker.state");
  if (verdicts.length > 0) {
    state.moment.value = {
      ...known,
      workers: known.workers.map((worker) => verdicts.reduce(withVerdict, worker)),
    };
  }
  const head = sequenceIn(known.cursor);
  if (items.some((item) => item.sequence > head && changesFleet(item))) refresher.wake();
}

/** Where the page begins to read: behind the last event it has, unless too many events lie between. */
function feedStart(last: string | undefined, head: string): string {
  const near = cursorBefore(head, FIRST_EVENTS);
  if (last === undefined || epochOf(last) !== epochOf(head)) return near;
  return sequenceIn(last) >= sequenceIn(near) ? last : near;
}

function runAfter(ms: number, run: () => void): () => void {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
}

/** Where the events of a feed go. */
const targetOf = (state: FlowState, refresher: Refresher): FeedTarget => ({
  took: (items) => takeEvents(state, items, refresher),
  gapped: () => {
    state.events.clear();
    state.eventsVersion.value += 1;
    refresher.now();
  },
});

/** The moment that is kept up to date, and the log that flows in. */
export interface Flow {
  readonly refresher: Refresher;
  /** No event is taken in from now on. */
  pause(): void;
  /** Asks for the moment, and takes events in again from there. */
  goOn(): void;
}

export function createFlow(state: FlowState, client: () => PageClient | null): Flow {
  let feed: Feed | null = null;
  let isPaused = false;
  const refresh = async (): Promise<void> => {
    const connected = client();
    const wanted = state.past.peek();
    if (connected === null) return;
    try {
      const moment = await fetchMoment(connected, wanted, {
        isWanted: () => state.past.peek() === wanted,
        progressed: (share) => (state.progress.value = share),
      });
      if (moment === null || state.past.peek() !== wanted) return refresher.now();
      state.moment.value = moment;
      state.progress.value = null;
      state.momentError.value = null;
      // An answer that was on its way when the flow was paused begins no feed.
      if (feed === null && wanted === null && !isPaused) listen(connected, moment.cursor);
    } catch (error) {
      state.progress.value = null;
      if (state.past.peek() === wanted) state.momentError.value = messageOf(error);
    }
  };
  const refresher = createRefresher({ refresh, now: () => performance.now(), after: runAfter });
  const listen = (connected: PageClient, cursor: string): void => {
    const from = feedStart(state.events.rows.at(-1)?.cursor, cursor);
    if (from !== state.events.rows.at(-1)?.cursor) state.events.clear();
    feed = followLog(connected, from, targetOf(state, refresher));
  };
  return {
    refresher,
    pause: () => {
      isPaused = true;
      feed?.close();
      feed = null;
    },
    goOn: () => {
      isPaused = false;
      refresher.now();
    },
  };
}

/** Most older events that a request reads. */
const OLDER_EVENTS = 5000;

function createHistory(state: FlowState, client: () => PageClient | null): Pick<Store, "loadOlder" | "loadAround"> {
  const loadOlder = async (count = OLDER_EVENTS): Promise<number> => {
    const [first] = state.events.rows;
    const connected = client();
    if (first === undefined || connected === null || first.sequence <= 1) return 0;
    const wanted = Math.min(count, first.sequence - 1);
    const items = await readLog(connected, { from: cursorBefore(first.cursor, wanted + 1), count: wanted });
    const added = state.events.prepend(items.map(eventRowOf));
    state.eventsVersion.value += 1;
    return added;
  };
  const loadAround = async (cursor: string): Promise<void> => {
    const [first] = state.events.rows;
    const missing = first === undefined ? 0 : first.sequence - sequenceIn(cursor);
    if (missing > 0 && missing <= EVENT_ROWS) await loadOlder(missing + CONTEXT_EVENTS);
  };
  return { loadOlder: () => loadOlder(), loadAround };
}

/** Events before the event of a link that are read along with it. */
const CONTEXT_EVENTS = 50;

export function createStore(base: string): Store {
  const state = createFlowState();
  const now = signal(Date.now());
  const link: Link = openLink({ base, opened: () => flow.refresher.now() });
  const flow = createFlow(state, link.client);
  const ticking = setInterval(() => (now.value = Date.now()), TICK_MS);
  const unwatch = watchHidden({ left: () => flow.pause(), back: () => flow.goOn() });
  const disposePast = effect(() => {
    void state.past.value;
    flow.refresher.now();
  });
  return {
    ...state,
    look: () => flow.refresher.wake(),
    link: link.state,
    session: link.session,
    isOutdated: link.isOutdated,
    now,
    canAct: computed(
      () =>
        link.state.value.kind === "open" && link.session.value?.role === "orchestrator" && state.past.value === null,
    ),
    cut: computed(() => (state.past.value === null ? null : (state.moment.value?.cursor ?? null))),
    act: createActions(link.client, flow.refresher),
    ...createHistory(state, link.client),
    signOut: link.signOut,
    client: link.client,
    close: async () => {
      clearInterval(ticking);
      unwatch();
      disposePast();
      flow.pause();
      flow.refresher.stop();
      await link.close();
    },
  };
}
