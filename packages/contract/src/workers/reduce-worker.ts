import { leaveLimit, takeClock } from "./take-clock.ts";
import { withLife } from "./with-life.ts";
import { takeOwn } from "./take-own.ts";
import { isOutdated, takeAnswer, takeServer } from "./take-server.ts";
import type { EventFact, WorkerFact } from "./worker-fact.ts";
import { nextLife } from "./next-life.ts";
import type { Cause, StateVerdict, WorkerRecord } from "./worker-record.ts";

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

export type Finding = Omit<StateVerdict, "asOf" | "phase">;

type Rule = (worker: WorkerRecord) => Finding | null;

const findingOf = (
  state: Finding["state"],
  { text, source, sequence }: Cause,
  until: number | null = null,
  more = "",
): Finding => ({ state, reason: `${text}${more}`, source, until, evidence: sequence });

const byClock = (worker: WorkerRecord, text: string): Cause => ({
  text,
  source: "clock",
  at: 0,
  sequence: worker.work?.sequence ?? null,
});

/** A worker with a good reason for silence is not called stale; the reason text mentions the silence. */
const silence = ({ isSilent }: WorkerRecord): string => (isSilent ? "; nothing is heard of it" : "");

const asked = ({ questions: [first, ...more], prompt }: WorkerRecord): Cause | null => {
  if (first === undefined) return prompt;
  return more.length === 0 ? first : { ...first, text: `${first.text} (and ${more.length} more)` };
};

const ended: Rule = ({ ending }) => (ending === null ? null : findingOf(ending.state, ending));

const paused: Rule = (worker) => {
  if (worker.paused === null) return null;
  const open = worker.questions.length > 0 ? "; it has asked something" : "";
  return findingOf("paused", worker.paused, null, open + silence(worker));
};

const needsInput: Rule = (worker) => {
  const question = asked(worker);
  return question === null ? null : findingOf("needs_input", question, null, silence(worker));
};

/** A usage limit without an end time counts only while the worker is heard. */
const rateLimited: Rule = (worker) => {
  const { parked, isSilent } = worker;
  if (parked === null || (isSilent && parked.until === null)) return null;
  return findingOf("rate_limited", parked, parked.until, silence(worker));
};

const stale: Rule = (worker) =>
  worker.isSilent ? findingOf("stale", byClock(worker, "nothing is heard of it")) : null;

const blocked: Rule = (worker) => (worker.blocked === null ? null : findingOf("blocked", worker.blocked));

const unknown: Rule = (worker) => (worker.unclear === null ? null : findingOf("unknown", worker.unclear));

const hung: Rule = (worker) =>
  worker.isHung ? findingOf("hung", byClock(worker, "it is there, but its work comes no further")) : null;

const starting: Rule = (worker) => {
  const { isSignalling, isSpawned, phase, turn, work } = worker;
  const hasBegun = phase !== null || isSignalling;
  const isPreparing = isSpawned && turn === "none" && (phase === null || phase === "PLAN" || phase === "SPAWN");
  if (hasBegun && !isPreparing) return null;
  return findingOf("starting", work ?? byClock(worker, "it is there, and has not begun"));
};

const working = (worker: WorkerRecord): Finding =>
  findingOf("working", worker.work ?? byClock(worker, "it has begun, as far as is known"));

/**
 * The state of a worker: the first rule that holds decides.
 *
 * | | state | why the rule stands here |
 * |---|---|---|
 * | 1 | finished, aborted, failed, gone | later events do not change an end; only a new start does |
 * | 2 | paused | a person or a peer wanted the pause, and other activity does not end the pause |
 * | 3 | needs_input | only an answer brings the worker further; a question stays open when the worker falls silent |
 * | 4 | rate_limited | the worker waits until a known time, or reports that the wait goes on |
 * | 5 | stale | earlier reports of the worker are no longer reliable |
 * | 6 | blocked | the worker reported why the work cannot go on |
 * | 7 | unknown | no evidence shows whether the agent works or waits |
 * | 8 | hung | the worker lives and should work, but makes no progress |
 * | 9 | starting | the work has not begun |
 * | 10 | working | no other rule holds |
 */
const RULES: readonly Rule[] = [ended, paused, needsInput, rateLimited, stale, blocked, unknown, hung, starting];

export function judgeWorker(worker: WorkerRecord): Finding {
  for (const rule of RULES) {
    const finding = rule(worker);
    if (finding !== null) return finding;
  }
  return working(worker);
}
