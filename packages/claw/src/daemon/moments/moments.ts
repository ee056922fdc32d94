import type { BudgetLimit, ReadRequest } from "claw-contract";
import { isoTime, LIMITS } from "claw-contract";
import type { BusExtension, BusHost, Done, EventLog, MomentStore, RequestOutcome } from "../../bus/index.ts";
import { error, handlePeers, ok } from "../../bus/index.ts";
import type { Memories } from "../supervision/memories.ts";
import { saveMemories } from "../supervision/memories.ts";
import type { SilenceOf } from "../supervision/states/unheard.ts";
import { presentRecords, presentViews, viewWith } from "../supervision/states/states.ts";
import type { MomentBody } from "./moment-view.ts";
import { showMoment } from "./moment-view.ts";
import { findMoment } from "./find-moment.ts";
import type { Rebuilder } from "./rebuild.ts";
import { createRebuilder, keepState } from "./rebuild.ts";
import { withFence } from "./shadow.ts";

export interface MomentOptions {
  readonly log: Pick<EventLog, "epoch" | "head" | "oldest" | "read" | "sequenceAt">;
  readonly store: MomentStore;
  /** The memories of the running daemon. */
  readonly memories: Memories;
  /** Environment whose secrets are masked. */
  readonly env: NodeJS.ProcessEnv;
  readonly perDay: BudgetLimit;
  /** In a cluster: for how long a machine was not heard. */
  readonly silenceOf?: SilenceOf | undefined;
  /** Events that one request reads at most; events between two kept states; shortest time between two. */
  readonly mostEvents?: number;
  readonly spacing?: number;
  readonly keepMs?: number;
}

/** Shortest time between two states that are kept while the daemon runs. */
const KEEP_MS = 2000;
/** Events between two kept states, for each worker in them: writing a state takes as long as its workers are many. */
const EVENTS_OF_WORKER = 2;

type Asked = ReadRequest<"moment.show">;
type Answer = RequestOutcome<{
  ready: boolean;
  progress: { done: number; total: number } | null;
  moment: (MomentBody & { cursor: string; oldest: string; head: string }) | null;
}>;

interface Showing extends MomentOptions {
  readonly host: BusHost;
  readonly rebuilder: Rebuilder;
}

function shown({ host, rebuilder, log }: Showing, sequence: number, body: MomentBody): Answer {
  const oldest = host.cursorAt(Math.min(rebuilder.oldest(), log.head()));
  const place = { cursor: host.cursorAt(sequence), oldest, head: host.cursorAt(log.head()) };
  return ok({ ready: true, progress: null, moment: { ...place, ...body } });
}

function showNow(showing: Showing, asked: Asked): Answer {
  const { host, memories, perDay, silenceOf } = showing;
  const recordOf = presentRecords(host, memories.workers);
  const viewOf = presentViews(host, memories.registry, silenceOf);
  const state = { memories, workspace: host.budget, perDay, ts: host.timestamp(), recordOf, viewOf };
  return shown(showing, host.knownThrough(), showMoment(state, asked));
}

function gone({ host, rebuilder }: Showing): Answer {
  const oldest = rebuilder.oldest();
  const hint = oldest === Infinity ? {} : { hint: `The oldest moment that is kept is ${host.cursorAt(oldest)}.` };
  return error("the log no longer holds that moment", { code: "MOMENT_GONE", ...hint });
}

/** The time of the oldest event, for a moment before it; undefined without any event. */
const firstTime = async (log: Showing["log"]): Promise<string | undefined> => (await log.read(0)).events[0]?.tsServer;

const MOMENT_HINT = "Name a past moment: a cursor of this log, a time like 2026-01-02T03:04:05Z, or 10m, 2h, 3d.";

async function showThen(showing: Showing, asked: Asked): Promise<Answer> {
  const { host, rebuilder, perDay, log } = showing;
  const found = await findMoment(log, asked, host.now());
  if (found.kind === "refused") return error(found.why, { code: "INVALID_CURSOR", hint: MOMENT_HINT });
  if (found.kind === "gone") return gone(showing);
  const { sequence, time } = found;
  const outcome = await rebuilder.rebuild(sequence);
  if (outcome.kind === "gone") return gone(showing);
  if (outcome.kind === "unfinished") {
    const base = rebuilder.oldest();
    const progress = { done: outcome.through - base, total: sequence - base };
    return ok({ ready: false, progress, moment: null });
  }
  const { memories, workspace, ts } = outcome.shadow;
  const spending = { spentUsd: () => workspace.spentUsd(), capUsd: host.budget.capUsd };
  const recordOf = (peerId: string) => memories.workers.get(peerId);
  const at = time === undefined ? ts() || (await firstTime(log)) || host.timestamp() : isoTime(time);
  const viewOf = viewWith(memories.registry, host);
  const state = { memories, workspace: spending, perDay, ts: at, recordOf, viewOf };
  return shown(showing, sequence, showMoment(state, asked));
}

/** Answers requests for earlier moments one after another, because each takes its part of the daemon's time. */
class MomentQueue {
  readonly #showing: Showing;
  #waiting = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(showing: Showing) {
    this.#showing = showing;
  }

  answer(asked: Asked, done: Done<"moment.show">): void {
    if (asked.at === undefined && asked.time === undefined) return done(showNow(this.#showing, asked));
    if (this.#waiting >= LIMITS.momentsWaiting) return done(error("admission-control:backlog"));
    this.#waiting += 1;
    this.#last = this.#last.then(() => this.#answerOne(asked, done));
    return undefined;
  }

  async #answerOne(asked: Asked, done: Done<"moment.show">): Promise<void> {
    const answer = await showThen(this.#showing, asked).catch((failure: unknown) =>
      error(`the log cannot be read: ${String(failure)}`),
    );
    this.#waiting -= 1;
    done(answer);
  }
}

/** Keeps the daemon's own state from time to time, so that a moment can be rebuilt from a near place. */
function createKeeper({ host, memories, log, store, ...options }: Showing): () => void {
  const { spacing = LIMITS.momentSpacing, mostEvents = LIMITS.momentEvents, keepMs = KEEP_MS } = options;
  let keptAt = 0;
  let isBusy = false;
  /** Place of the newest kept state, read once for many looks of the clock (bench growth, "publish"). */
  let newest: number | undefined;
  const keep = async (sequence: number): Promise<void> => {
    const fence = withFence(host.fence.save());
    const state = { memories: saveMemories(memories), workspace: host.budget.save(), ...fence };
    const [last] = (await log.read(sequence - 1)).events;
    if (last?.sequence !== sequence) return;
    await keepState({ log, store }, sequence, { ...state, ts: last.tsServer });
    store.forgetBefore(log.oldest() - 1);
  };
  const isFar = (events: number): boolean =>
    events >= Math.max(spacing, Math.min(EVENTS_OF_WORKER * memories.workers.count(), mostEvents));
  return () => {
    const sequence = host.knownThrough();
    newest ??= store.sequences().at(-1) ?? 0;
    if (isBusy || !isFar(sequence - newest) || Math.abs(host.now() - keptAt) < keepMs) return;
    isBusy = true;
    keptAt = host.now();
    void keep(sequence)
      .catch((failure: unknown) => host.report(`no state was kept: ${String(failure)}`))
      .finally(() => {
        isBusy = false;
        newest = undefined;
      });
  };
}

/** Shows the state of the workspace, as it is or as it was. */
export function createMoments(host: BusHost, options: MomentOptions): BusExtension {
  const { dayOf } = options.memories.budgets;
  const showing = { ...options, host, rebuilder: createRebuilder({ ...options, dayOf }) };
  const queue = new MomentQueue(showing);
  const keepSometimes = createKeeper(showing);
  return {
    name: "moments",
    requests: [handlePeers("moment.show", ({ request }, done) => queue.answer(request, done))],
    start: () => options.store.forgetAfter(options.log.head()),
    checkDue: () => {
      keepSometimes();
      return Infinity;
    },
  };
}
