import { isPhase } from "../events/phases.ts";
import { ENDED_STATES, WORKER_STATES } from "../worker-words.ts";
import type { LifeProcess, WorkerEnd } from "./worker-end.ts";
import { endBy, endInOwn, laterEnd } from "./worker-end.ts";

/** One life of a worker: from a start, or from the first word of a worker that the daemon did not start. */
export interface WorkerLife {
  /** Id of the life. A later life of the same worker has another id. */
  readonly bootId: string;
  readonly hasBooted: boolean;
  readonly process: LifeProcess;
  /** Process id from the start; null when unknown. */
  readonly pid: number | null;
  /** Whether the worker's connection has ended. */
  readonly isAway: boolean;
  /** Whether the worker named a terminal that is not known to be closed. Its agent may live on there. */
  readonly hasTerminal: boolean;
  /** Whether the worker was told to stop. */
  readonly isStopping: boolean;
  /** Null while the worker lives. */
  readonly end: WorkerEnd | null;
}

/** An event about a worker. The payload is given without its envelope; any content is possible. */
export interface LifeEvent {
  readonly topic: string;
  readonly from: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly sequence: number;
}

/** The life of a worker whose start is not in the log. */
export const FIRST_LIFE: WorkerLife = {
  bootId: "boot_1",
  hasBooted: false,
  process: "unknown",
  pid: null,
  isAway: false,
  hasTerminal: false,
  isStopping: false,
  end: null,
};

/**
 * Whether the work of this life is over: the worker asks nothing more, and its silence is no trouble. The work of a
 * worker that only left may go on: the worker may come back, or its agent lives in a terminal.
 */
export const isOver = ({ end }: WorkerLife): boolean => end !== null && (end.by !== "left" || end.isSettled);

/** Whether the worker has ended: it takes no commands, and another worker may take its name. */
export const hasEnded = ({ end }: WorkerLife): boolean => end?.isSettled === true;

/** Whether the life was lost: its process ended before a report. */
export const isLost = ({ end }: WorkerLife): boolean => end?.by === "crash" || end?.by === "abort";

/** The end of the earlier life, if the life ended between the two; null when the same life goes on as before. */
export function endBetween(before: WorkerLife, after: WorkerLife): WorkerEnd | null {
  if (before.bootId !== after.bootId) return before.end ?? endBy("replaced");
  return before.end === after.end ? null : after.end;
}

/** The life with one more reason to end; the same object when nothing changes. */
export function endLife(life: WorkerLife, next: WorkerEnd): WorkerLife {
  const end = laterEnd(life.end, next);
  return end === life.end ? life : { ...life, end };
}

type Take = (life: WorkerLife, event: LifeEvent) => WorkerLife;

const spawned: Take = (_life, { data: { bootId, pid }, sequence }) => ({
  ...FIRST_LIFE,
  bootId: typeof bootId === "string" ? bootId : `boot_${sequence}`,
  process: "alive",
  pid: typeof pid === "number" ? pid : null,
});

const namesTerminal = (id: unknown): boolean => typeof id === "number" || (typeof id === "string" && id !== "");

/** Older workers boot again under the same name, without a start by the daemon. */
function booted(life: WorkerLife, { data, sequence }: LifeEvent): WorkerLife {
  const hasTerminal = life.hasTerminal || namesTerminal(data["terminal_id"]);
  if (!life.hasBooted) return { ...life, hasBooted: true, hasTerminal };
  const again = { ...FIRST_LIFE, bootId: `boot_${sequence}`, hasBooted: true, hasTerminal };
  return life.process === "unknown" ? again : life;
}

/** A worker that an orchestrator let out of a terminal phase, by `set_phase`, goes on. */
const goesOn = ({ end, process }: WorkerLife, { phase }: LifeEvent["data"]): boolean =>
  (end?.by === "reflect" || end?.by === "failed") && process !== "ended" && isPhase(phase);

function afterOwn(life: WorkerLife, event: LifeEvent): WorkerLife {
  const { topic, data } = event;
  const action = topic.slice(topic.indexOf(".", "worker.".length) + 1);
  if (action === "boot") return booted(life, event);
  const end = endInOwn(action, data, life.process);
  if (end !== null) return endLife(life, end);
  return action === "phase" && goesOn(life, data) ? { ...life, end: null } : life;
}

/** The end of an earlier process does not end a later life. */
const isEarlier = ({ process, bootId, pid }: WorkerLife, { data }: LifeEvent): boolean =>
  process !== "unknown" &&
  ((typeof data["bootId"] === "string" && data["bootId"] !== bootId) ||
    (typeof data["pid"] === "number" && pid !== null && data["pid"] !== pid));

const terminated: Take = (life, event) => {
  if (isEarlier(life, event)) return life;
  const isExpected = event.data["expected"] === true;
  const end = isExpected ? endBy("stopped") : life.isStopping ? endBy("abort") : endBy("crash", false);
  // A process that is gone reports nothing more, so what the worker said before is settled.
  const known = life.end !== null && life.end.by !== "reflect" ? { ...life.end, isSettled: true } : life.end;
  return { ...life, process: "ended", end: laterEnd(known, end) };
};

/** After this alert only a person can start the worker again. */
const alerted: Take = (life, { data }) =>
  data["action"] === "alert" && life.end?.by === "crash" ? endLife(life, endBy("crash")) : life;

const cameBack = (life: WorkerLife): WorkerLife => (life.end?.by === "left" ? { ...life, end: null } : life);

const joined: Take = (life, { data }) => {
  const hasTerminal = life.hasTerminal || namesTerminal(data["terminalId"]);
  const isKnown = !life.isAway && hasTerminal === life.hasTerminal;
  return cameBack(isKnown ? life : { ...life, isAway: false, hasTerminal });
};

/**
 * A connection that broke may come back. A connection that ended in order is the end of work that was over before; an
 * older worker may also have left after a single event, and goes on in its terminal.
 */
const left: Take = (life, { data }) => {
  const away = life.isAway ? life : { ...life, isAway: true };
  const isEnd = life.process === "unknown" && (data["reason"] === "clean" || isOver(life));
  return isEnd ? endLife(away, endBy("left", isOver(life))) : away;
};

/**
 * The clock found that a worker is away for good, or that its report does not come. A worker in an open terminal takes
 * commands there, although its connection is gone.
 */
export const endByClock = (life: WorkerLife): WorkerLife =>
  endLife(life, endBy("left", life.end?.by === "reflect" || !life.hasTerminal));

/** The log holds the conclusions of the clock only as states. */
const told: Take = (life, { data: { state, source } }) => {
  const known = WORKER_STATES.find((each) => each === state);
  if (known === undefined) return life;
  if (!ENDED_STATES.has(known)) return cameBack(life);
  return source === "clock" && life.process === "unknown" ? endByClock(life) : life;
};

/** A worker that is still connected takes commands over the bus until it leaves. */
const terminalClosed: Take = (life) => {
  const without = life.hasTerminal ? { ...life, hasTerminal: false } : life;
  return life.process === "unknown" ? endLife(without, endBy("terminal", life.isAway)) : without;
};

const SERVER: Readonly<Record<string, Take>> = {
  "system.worker.spawned": spawned,
  "system.worker.terminated": terminated,
  "system.worker.alert": alerted,
  "system.worker.state": told,
  "system.peer.joined": joined,
  "system.peer.left": left,
  "system.terminal.closed": terminalClosed,
};

/** A worker that crashed and is told to stop is not started anew. */
function toldToStop(life: WorkerLife): WorkerLife {
  if (life.end?.by === "crash") return endLife(life, endBy("abort"));
  return life.isStopping || hasEnded(life) ? life : { ...life, isStopping: true };
}

const isAbort = (topic: string, data: LifeEvent["data"]): boolean =>
  topic.startsWith("cmd.role.") ? data["command"] === "abort" : topic.endsWith(".abort");

/**
 * The life of a worker after an event about it; the same object when the life does not change. Pure. An event that
 * begins another life returns a life with another boot id.
 */
export function nextLife(life: WorkerLife, event: LifeEvent): WorkerLife {
  const { topic, from, data } = event;
  if (topic.startsWith("worker.")) return afterOwn(life, event);
  if (topic.startsWith("cmd.")) return isAbort(topic, data) ? toldToStop(life) : life;
  const take = from === "server" && Object.hasOwn(SERVER, topic) ? SERVER[topic] : undefined;
  return take === undefined ? life : take(life, event);
}

/** Whether an event that a worker publishes ends the worker's life. */
export const endsLife = (topic: string, data: LifeEvent["data"]): boolean =>
  topic.startsWith("worker.") && endInOwn(topic.slice(topic.indexOf(".", "worker.".length) + 1), data) !== null;

/** Topics of all events that can change a life. */
export const LIFE_TOPICS: readonly string[] = [
  "worker.*.boot",
  "worker.*.phase",
  "worker.*.event",
  "worker.*.heartbeat",
  "worker.*.complete",
  "cmd.*.abort",
  "cmd.role.worker",
  ...Object.keys(SERVER),
];
