import type { BusItem, Observer, Subscription } from "claw-client";
import type { ReceivedReply, WorkerOutcome } from "claw-contract";
import { watchBus } from "../../bus/ask-bus.ts";
import { isBusAway, whileAway } from "../../bus/while-away.ts";
import type { Ports } from "../../runtime/handle.ts";
import type { OutcomeNews } from "./outcome-news.ts";
import { createOutcomeNews } from "./outcome-news.ts";

/** Where workers stand, as the daemon judges them. */
export type OutcomeLook = ReceivedReply<"worker.outcomes">;

export type OutcomeStatus = "working" | "needs_input" | "done" | "failed";

export interface OutcomeWanted {
  /** Ids or names of workers; without them, the workers that the caller's peer started. */
  readonly workers?: readonly string[] | undefined;
  /** News begin after this place of the log; by default now. */
  readonly cursor?: string | undefined;
  readonly waitMs: number;
  /** Ends the wait with what there is. */
  readonly until?: AbortSignal;
  /** Whether the wait can end, beside its own reasons. */
  readonly isEnough?: (look: OutcomeLook) => boolean;
  /** Called with each line of news, and from time to time with where the workers stand. Must not throw. */
  readonly onNews?: (line: string) => void;
}

export interface WorkersOutcome extends Pick<OutcomeLook, "workers" | "approvals"> {
  readonly status: OutcomeStatus;
  readonly news: readonly string[];
  /** The next wait from here misses no event and tells none twice. */
  readonly cursor: string;
}

const TOPICS = "system.*.*";

/** How often a wait without news says where the workers stand. */
const STANDING_MS = 10_000;

const hasFailed = ({ verdict, completion }: WorkerOutcome): boolean =>
  verdict === "failed" || completion === "failed_checks";

/** The state of all workers together. */
export function outcomeStatus({ done, workers, approvals }: Omit<OutcomeLook, "cursor">): OutcomeStatus {
  if (done) return workers.some(hasFailed) ? "failed" : "done";
  return approvals.length > 0 || workers.some(({ state }) => state === "needs_input") ? "needs_input" : "working";
}

/** Name, state and reason of a worker, in a line. */
export const standingOf = ({ name, state, reason }: Pick<WorkerOutcome, "name" | "state" | "reason">): string =>
  `${name}: ${state ?? "removed"}${reason === "" ? "" : `, ${reason}`}`;

/** A wait: the request, and the outcomes found until now. Outlives the connections to the bus. */
interface Wait {
  readonly wanted: OutcomeWanted;
  readonly news: OutcomeNews;
  readonly deadlineMs: number;
  readonly signal: AbortSignal;
  look: OutcomeLook | undefined;
}

const isOver = ({ wanted, deadlineMs, signal }: Wait): boolean =>
  wanted.until?.aborted === true || signal.aborted || Date.now() >= deadlineMs;

/**
 * Whether the time is over with nothing left to find out: the last look is newer than the last event. On a busy machine
 * another request takes seconds, which a client with a time limit does not have.
 */
const isLate = ({ wanted, deadlineMs }: Wait): boolean => wanted.until?.aborted !== true && Date.now() >= deadlineMs;

/** Whether there is an answer before the time is over. A question is told when it is new to the caller. */
function isAnswered({ wanted, news }: Wait, look: OutcomeLook): boolean {
  if (look.done || wanted.isEnough?.(look) === true) return true;
  return outcomeStatus(look) === "needs_input" && (wanted.cursor === undefined || news.hasQuestion());
}

async function lookNow(wait: Wait, bus: Observer): Promise<OutcomeLook> {
  const { workers } = wait.wanted;
  const look = await bus.request("worker.outcomes", workers === undefined ? {} : { workers: [...workers] });
  for (const { peer_id: id, name } of look.workers) wait.news.learnName(id, name);
  if (wait.news.cursor() === undefined) wait.news.passed(look.cursor);
  wait.look = look;
  return look;
}

/** The next item; undefined when none came in time. The pending item is kept for the next call. */
function createReader(subscription: Subscription) {
  let pending: Promise<IteratorResult<BusItem, undefined>> | undefined;
  return async (ms: number, stops: readonly (AbortSignal | undefined)[]): Promise<BusItem | "ended" | undefined> => {
    pending ??= subscription.next();
    const late = createLateness(ms, stops);
    const found = await Promise.race([pending, late.promise]).finally(late.forget);
    if (found === undefined) return undefined;
    pending = undefined;
    return found.done === true ? "ended" : found.value;
  };
}

/** Resolves after a time, or when a signal is aborted. */
function createLateness(ms: number, stops: readonly (AbortSignal | undefined)[]) {
  let forget = (): void => undefined;
  const promise = new Promise<undefined>((resolve) => {
    const stop = (): void => resolve(undefined);
    const timer = setTimeout(stop, Math.max(0, ms));
    for (const signal of stops) signal?.addEventListener("abort", stop, { once: true });
    forget = () => {
      clearTimeout(timer);
      for (const signal of stops) signal?.removeEventListener("abort", stop);
    };
    if (stops.some((signal) => signal?.aborted === true)) stop();
  });
  return { promise, forget };
}

/** Takes in an item. False when there is no room for its news. */
function take({ news, look, wanted }: Wait, item: BusItem): boolean {
  if (item.kind === "notice") return true;
  if (item.kind === "caught-up") {
    news.passed(item.cursor);
    return true;
  }
  const before = news.lines.length;
  const isTaken = news.take(item, (peerId) => look?.workers.some((worker) => worker.peer_id === peerId) === true);
  for (const line of news.lines.slice(before)) wanted.onNews?.(line);
  return isTaken;
}

/** Reads what the log holds after the cursor, so that the news are as new as the state. */
async function catchUp(wait: Wait, bus: Observer): Promise<void> {
  const subscription = bus.subscribe(TOPICS, { from: wait.news.cursor() ?? "" });
  for await (const item of subscription) {
    if (!take(wait, item) || item.kind === "caught-up") return;
  }
}

function outcomeOf({ news, wanted }: Wait, look: OutcomeLook): WorkersOutcome {
  const { workers, approvals } = look;
  const cursor = news.cursor() ?? wanted.cursor ?? look.cursor;
  return { status: outcomeStatus(look), workers, approvals, news: news.lines, cursor };
}

/** Whether the state has to be asked for anew. In the history, only a start can make another worker known. */
const changesLook = (item: BusItem, isCaughtUp: boolean): boolean =>
  item.kind === "event" && (isCaughtUp || item.topic === "system.worker.spawned");

/** Waits over one connection. Rejects when the connection is lost. */
async function watchOnce(wait: Wait, bus: Observer): Promise<WorkersOutcome> {
  let look = await lookNow(wait, bus);
  const subscription = bus.subscribe(TOPICS, { from: wait.news.cursor() ?? look.cursor });
  const next = createReader(subscription);
  let isCaughtUp = false;
  for (;;) {
    if (isCaughtUp && (isAnswered(wait, look) || isOver(wait))) {
      look = await lookNow(wait, bus);
      await catchUp(wait, bus);
      if (isAnswered(wait, look) || isOver(wait)) return outcomeOf(wait, look);
    }
    const ms = isCaughtUp ? Math.min(STANDING_MS, wait.deadlineMs - Date.now()) : STANDING_MS;
    const item = await next(ms, [isCaughtUp ? wait.wanted.until : undefined, wait.signal]);
    wait.signal.throwIfAborted();
    if (item === "ended") return outcomeOf(wait, look);
    if (item === undefined) {
      if (isCaughtUp && isLate(wait)) return outcomeOf(wait, look);
      wait.wanted.onNews?.(look.workers.map(standingOf).join(" · "));
      continue;
    }
    if (changesLook(item, isCaughtUp)) look = await lookNow(wait, bus);
    if (!take(wait, item)) return outcomeOf(wait, look);
    if (item.kind !== "caught-up") continue;
    isCaughtUp = true;
    // The history may hold what happened after the first look. From here on, each event makes another look.
    if (!isOver(wait)) look = await lookNow(wait, bus);
  }
}

/** A daemon that is being started again counts as away for so long, also in a short wait. */
const RESTART_MS = 10_000;

/** Until when the wait bears that the daemon is away. A caller without a cursor may never have had a daemon. */
function awayUntil({ look, wanted, deadlineMs }: Wait, began: number): number {
  if (look !== undefined) return deadlineMs;
  return wanted.cursor === undefined ? 0 : Math.max(deadlineMs, began + RESTART_MS);
}

/**
 * Waits until workers are done or one needs an answer, at most for the given time, and tells what happened meanwhile.
 * Goes on when the daemon is away for a while, as long as the time lasts; then resolves with what was known last.
 * Rejects with WORKER_NOT_FOUND, with DAEMON_NOT_RUNNING when no daemon was there at all, and with the signal's reason.
 */
export async function watchOutcome(wanted: OutcomeWanted, ports: Ports): Promise<WorkersOutcome> {
  const { signal } = ports;
  const began = Date.now();
  const deadlineMs = began + wanted.waitMs;
  const wait: Wait = { wanted, news: createOutcomeNews(wanted.cursor), deadlineMs, signal, look: undefined };
  try {
    return await whileAway({ signal, deadlineMs: () => awayUntil(wait, began) }, () =>
      watchBus(ports, (bus) => watchOnce(wait, bus)),
    );
  } catch (error) {
    if (!isBusAway(error) || wait.look === undefined) throw error;
    return outcomeOf(wait, wait.look);
  }
}
