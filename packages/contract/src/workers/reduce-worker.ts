import { judgeWorker } from "./judge-worker.ts";
import { leaveLimit, takeClock } from "./take-clock.ts";
import { takeOwn } from "./take-own.ts";
import { takeAnswer, takeServer } from "./take-server.ts";
import type { EventFact, WorkerFact } from "./worker-fact.ts";
import type { Verdict, WorkerRecord } from "./worker-record.ts";

const ANSWERS: ReadonlySet<string> = new Set(["approve", "reject", "unblock"]);

/** The latest time there is. */
const MAX_MS = 8.64e15;

function takeEvent(worker: WorkerRecord, fact: EventFact): WorkerRecord {
  const [family, , action = "", more] = fact.topic.split(".");
  if (family === "system") return fact.from === "server" ? takeServer(worker, fact) : worker;
  if (more !== undefined) return worker;
  if (family === "worker") return takeOwn(worker, action, fact);
  return family === "cmd" && ANSWERS.has(action) ? takeAnswer(worker, fact) : worker;
}

const isSame = (verdict: Verdict, { state, reason, until }: Omit<Verdict, "asOf" | "phase">): boolean =>
  verdict.state === state && verdict.reason === reason && verdict.until === until;

/** The same state for the same reason is the same statement, and as old as it was. */
function judged(worker: WorkerRecord, at: number): WorkerRecord {
  const { verdict: before, phase } = worker;
  const found = judgeWorker(worker);
  if (isSame(before, found)) return before.phase === phase ? worker : { ...worker, verdict: { ...before, phase } };
  return { ...worker, verdict: { ...found, phase, asOf: Math.max(before.asOf, at) } };
}

/**
 * What is known of a worker after one more fact about it. Pure, and whatever the fact holds. Facts come in the order of
 * their log; the same one twice changes nothing but counts of open tools.
 */
export function reduceWorker(worker: WorkerRecord, fact: WorkerFact): WorkerRecord {
  const isTime = Number.isFinite(fact.at) && Math.abs(fact.at) <= MAX_MS;
  const at = isTime ? fact.at : worker.verdict.asOf;
  if (fact.kind === "clock") return judged(takeClock(worker, { ...fact, at }), at);
  const after = takeEvent(worker, { ...fact, at });
  // A limit may be over when it is told of.
  return after === worker ? worker : judged(leaveLimit(after, at), at);
}
