import { judgeWorker } from "./judge-worker.ts";
import { leaveLimit, takeClock } from "./take-clock.ts";
import { withLife } from "./with-life.ts";
import { takeOwn } from "./take-own.ts";
import { isOutdated, takeAnswer, takeServer } from "./take-server.ts";
import type { EventFact, WorkerFact } from "./worker-fact.ts";
import { nextLife } from "./next-life.ts";
import type { StateVerdict, WorkerRecord } from "./worker-record.ts";

const ANSWERS: ReadonlySet<string> = new Set(["approve", "reject", "unblock"]);

/** The latest time that a Date can hold. */
const MAX_MS = 8.64e15;

/** The worker after an event, with the life that the event leaves it. */
function lived(before: WorkerRecord, after: WorkerRecord, fact: EventFact): WorkerRecord {
  if (fact.topic === "system.worker.state" && isOutdated(before, fact)) return after;
  return withLife(after, nextLife(before.life, fact), fact);
}

function takeEvent(worker: WorkerRecord, fact: EventFact): WorkerRecord {
  const [family, , action = "", more] = fact.topic.split(".");
  if (family === "system") return fact.from === "server" ? lived(worker, takeServer(worker, fact), fact) : worker;
  if (more !== undefined) return worker;
  if (family === "worker") return lived(worker, takeOwn(worker, action, fact), fact);
  return family === "cmd" && ANSWERS.has(action) ? takeAnswer(worker, fact) : worker;
}

const isSameVerdict = (
  verdict: StateVerdict,
  { state, reason, until }: Omit<StateVerdict, "asOf" | "phase">,
): boolean => verdict.state === state && verdict.reason === reason && verdict.until === until;

/** The same state with the same reason is the same verdict, and keeps its time. */
function judged(worker: WorkerRecord, at: number): WorkerRecord {
  const { verdict: before, phase } = worker;
  const found = judgeWorker(worker);
  if (isSameVerdict(before, found)) {
    return before.phase === phase ? worker : { ...worker, verdict: { ...before, phase } };
  }
  return { ...worker, verdict: { ...found, phase, asOf: Math.max(before.asOf, at) } };
}

/**
 * The record of a worker after one more fact. Pure, for any content of the fact. Facts come in the order of the log; a
 * repeated fact changes only the count of open tools.
 */
export function reduceWorker(worker: WorkerRecord, fact: WorkerFact): WorkerRecord {
  const isTime = Number.isFinite(fact.at) && Math.abs(fact.at) <= MAX_MS;
  const at = isTime ? fact.at : worker.verdict.asOf;
  if (fact.kind === "clock") return judged(takeClock(worker, { ...fact, at }), at);
  const after = takeEvent(worker, { ...fact, at });
  // A usage limit may already be over when the event arrives.
  return after === worker ? worker : judged(leaveLimit(after, at), at);
}
