import type { WorkerRecord } from "./worker-record.ts";
import type { Cause, Verdict } from "./worker-record.ts";

export type Finding = Omit<Verdict, "asOf" | "phase">;

type Rule = (worker: WorkerRecord) => Finding | null;

const find = (
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

/** Who may be silent for a good reason is not called stale, but the silence is told. */
const silence = ({ isSilent }: WorkerRecord): string => (isSilent ? "; nothing is heard of it" : "");

const asked = ({ questions: [first, ...more], prompt }: WorkerRecord): Cause | null => {
  if (first === undefined) return prompt;
  return more.length === 0 ? first : { ...first, text: `${first.text} (and ${more.length} more)` };
};

const ended: Rule = ({ ending }) => (ending === null ? null : find(ending.state, ending));

const paused: Rule = (worker) => {
  if (worker.paused === null) return null;
  const open = worker.questions.length > 0 ? "; it has asked something" : "";
  return find("paused", worker.paused, null, open + silence(worker));
};

const needsInput: Rule = (worker) => {
  const question = asked(worker);
  return question === null ? null : find("needs_input", question, null, silence(worker));
};

/** A limit without an end is believed only of somebody who is heard of. */
const rateLimited: Rule = (worker) => {
  const { parked, isSilent } = worker;
  if (parked === null || (isSilent && parked.until === null)) return null;
  return find("rate_limited", parked, parked.until, silence(worker));
};

const stale: Rule = (worker) => (worker.isSilent ? find("stale", byClock(worker, "nothing is heard of it")) : null);

const blocked: Rule = (worker) => (worker.blocked === null ? null : find("blocked", worker.blocked));

const unknown: Rule = (worker) => (worker.unclear === null ? null : find("unknown", worker.unclear));

const hung: Rule = (worker) =>
  worker.isHung ? find("hung", byClock(worker, "it is there, but its work comes no further")) : null;

const starting: Rule = (worker) => {
  const { isSignalling, isSpawned, phase, turn, work } = worker;
  const hasBegun = phase !== null || isSignalling;
  const isPreparing = isSpawned && turn === "none" && (phase === null || phase === "PLAN" || phase === "SPAWN");
  if (hasBegun && !isPreparing) return null;
  return find("starting", work ?? byClock(worker, "it is there, and has not begun"));
};

const working = (worker: WorkerRecord): Finding =>
  find("working", worker.work ?? byClock(worker, "it has begun, as far as is known"));

/**
 * What a worker is said to be doing: the first that holds.
 *
 * | | state | why it stands here |
 * |---|---|---|
 * | 1 | finished, aborted, failed, gone | nothing that is said later changes an end, but a new start |
 * | 2 | paused | somebody wanted it so, whatever else goes on |
 * | 3 | needs_input | only a person brings it further; a question stays open when who asked falls silent |
 * | 4 | rate_limited | it waits until a known time, or says that it still waits |
 * | 5 | stale | what it said before can no longer be relied on |
 * | 6 | blocked | it said itself why it gets no further |
 * | 7 | unknown | nothing shows whether its agent works or waits |
 * | 8 | hung | it lives, it should work, and nothing comes of it |
 * | 9 | starting | it has not begun |
 * | 10 | working | everything else |
 */
const RULES: readonly Rule[] = [ended, paused, needsInput, rateLimited, stale, blocked, unknown, hung, starting];

export function judgeWorker(worker: WorkerRecord): Finding {
  for (const rule of RULES) {
    const finding = rule(worker);
    if (finding !== null) return finding;
  }
  return working(worker);
}
