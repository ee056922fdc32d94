import type { WorkerView } from "claw-contract";

/** Words for people, and the tone of each state. */
const STATES: Readonly<Record<WorkerView["state"], readonly [word: string, tone: string]>> = {
  starting: ["starting", "calm"],
  working: ["working", "busy"],
  needs_input: ["needs input", "asks"],
  blocked: ["blocked", "asks"],
  rate_limited: ["rate limited", "waits"],
  stale: ["stale", "bad"],
  hung: ["hung", "bad"],
  paused: ["paused", "waits"],
  unknown: ["unknown", "waits"],
  finished: ["finished", "calm"],
  aborted: ["aborted", "calm"],
  failed: ["failed", "bad"],
  gone: ["gone", "bad"],
};

const COMPLETIONS: Readonly<Record<string, readonly [word: string, tone: string]>> = {
  reported: ["reported", "asks"],
  verified: ["verified", "good"],
  failed_checks: ["checks failed", "bad"],
  accepted: ["accepted", "good"],
  rework: ["rework", "waits"],
};

/** The state of a worker: a dot for the eye, a word for everyone. */
export function StatePill({ worker }: { readonly worker: Pick<WorkerView, "state" | "completion"> }) {
  const [word, tone] = STATES[worker.state];
  const completion = worker.completion === null ? undefined : COMPLETIONS[worker.completion];
  return (
    <span class="pills">
      <span class={`pill tone-${tone}`}>{word}</span>
      {completion !== undefined && <span class={`pill tone-${completion[1]}`}>{completion[0]}</span>}
    </span>
  );
}
