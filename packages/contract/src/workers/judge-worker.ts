import type { WorkerRecord } from "./worker-record.ts";
import type { Cause, StateVerdict } from "./worker-record.ts";

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
