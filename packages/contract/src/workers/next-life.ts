import { isPhase } from "../events/phases.ts";
import { ENDED_STATES, WORKER_STATES } from "./worker-words.ts";
import { endBy, endInOwn, laterEnd, endLife, FIRST_LIFE, hasLifeEnded, isOver } from "./worker-life.ts";
import type { LifeEvent, WorkerLife } from "./worker-life.ts";

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
  // After the end of its process a worker publishes no report, so an end that the worker announced is settled.
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
  return life.isStopping || hasLifeEnded(life) ? life : { ...life, isStopping: true };
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
