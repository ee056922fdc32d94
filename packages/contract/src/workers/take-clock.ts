import { LIMITS } from "../limits/limits.ts";
import { withLife } from "./with-life.ts";
import type { ClockFact } from "./worker-fact.ts";
import { endByClock } from "./next-life.ts";
import type { WorkerRecord } from "./worker-record.ts";

type Hearing = Omit<ClockFact, "kind" | "at">;

const lastHeard = ({ lastSeen }: WorkerRecord, { lastFrame, listeningSince }: Hearing): number =>
  Math.max(lastSeen ?? 0, lastFrame ?? 0, listeningSince);

/** A running tool may take long. A booted worker that does not report tools also gets the longer limit. */
function hungLimitMs({ turn, openTools, isSignalling, life }: WorkerRecord): number {
  const isThinking = isSignalling ? turn === "running" && openTools === 0 : !life.hasBooted;
  return isThinking ? LIMITS.hungMs : LIMITS.hungToolMs;
}

const staleAt = (worker: WorkerRecord, hearing: Hearing): number => lastHeard(worker, hearing) + LIMITS.staleMs + 1;

const hungAt = (worker: WorkerRecord, { listeningSince }: Hearing): number =>
  Math.max(worker.lastProgress ?? 0, worker.freeSince, listeningSince) + hungLimitMs(worker) + 1;

/** When a disconnected worker counts as gone. For a worker with a known live process, the process decides instead. */
function goneAt({ leftAt, life }: WorkerRecord, { listeningSince }: Hearing): number {
  if (leftAt === null || life.process === "alive") return Infinity;
  return Math.max(leftAt, listeningSince) + LIMITS.returnGraceMs + 1;
}

/** When a worker in REFLECT counts as gone without a report. With a known process, the process decides instead. */
function closedAt({ life, lastProgress }: WorkerRecord, { listeningSince }: Hearing): number {
  if (life.end?.by !== "reflect" || life.process === "alive") return Infinity;
  return Math.max(lastProgress ?? 0, listeningSince) + LIMITS.reportGraceMs + 1;
}

/** The next time at which the clock changes a worker's state, in milliseconds; Infinity when there is none. */
export function nextDueOf(worker: WorkerRecord, hearing: Hearing): number {
  if (worker.ending !== null) return Infinity;
  return Math.min(
    worker.isSilent ? Infinity : staleAt(worker, hearing),
    worker.isHung || worker.isSilent ? Infinity : hungAt(worker, hearing),
    worker.parked?.until ?? Infinity,
    goneAt(worker, hearing),
    closedAt(worker, hearing),
  );
}

/** Whether a time of a worker is later than the clock says. */
const isAhead = ({ lastSeen, lastProgress, freeSince, leftAt, told }: WorkerRecord, at: number): boolean =>
  Math.max(lastSeen ?? 0, lastProgress ?? 0, freeSince, leftAt ?? 0, told?.at ?? 0) > at;

/**
 * A clock that was set back must not make a worker look fresh for too long. A record that stays as it is is not copied:
 * the clock asks for each worker again and again (bench cluster, "busiest of 3 daemons").
 */
function setBack(worker: WorkerRecord, at: number): WorkerRecord {
  if (!isAhead(worker, at)) return worker;
  return {
    ...worker,
    lastSeen: worker.lastSeen === null ? null : Math.min(worker.lastSeen, at),
    lastProgress: worker.lastProgress === null ? null : Math.min(worker.lastProgress, at),
    freeSince: Math.min(worker.freeSince, at),
    leftAt: worker.leftAt === null ? null : Math.min(worker.leftAt, at),
    told: worker.told === null ? null : { ...worker.told, at: Math.min(worker.told.at, at) },
  };
}

/** Removes a usage limit whose time is over. */
export function leaveLimit(worker: WorkerRecord, at: number): WorkerRecord {
  const { parked } = worker;
  if (parked === null || (parked.until ?? Infinity) > at) return worker;
  const { sequence } = parked;
  const work = { text: "the time of its limit is over", source: "clock", at, sequence } as const;
  return { ...worker, parked: null, work, freeSince: at };
}

/** Changes of a worker that time alone causes. */
export function takeClock(known: WorkerRecord, { at, ...given }: ClockFact): WorkerRecord {
  if (known.ending !== null) return known;
  const hearing = {
    listeningSince: Math.min(given.listeningSince, at),
    lastFrame: given.lastFrame === null ? null : Math.min(given.lastFrame, at),
  };
  const worker = leaveLimit(setBack(known, at), at);
  if (Math.min(goneAt(worker, hearing), closedAt(worker, hearing)) <= at) {
    return withLife(worker, endByClock(worker.life), { at, sequence: worker.work?.sequence ?? null });
  }
  const { lastFrame } = hearing;
  const lastSeen = lastFrame === null ? worker.lastSeen : Math.max(lastFrame, worker.lastSeen ?? 0);
  const isSilent = staleAt(worker, hearing) <= at;
  const isHung = hungAt(worker, hearing) <= at;
  const isSame = lastSeen === worker.lastSeen && isSilent === worker.isSilent && isHung === worker.isHung;
  return isSame ? worker : { ...worker, lastSeen, isSilent, isHung };
}
