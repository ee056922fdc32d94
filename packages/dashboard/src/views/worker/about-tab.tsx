import type { WorkerView } from "claw-contract";
import { dayTimeText } from "../../text/amounts.ts";
import { inert } from "../../text/inert.ts";

const dayTime = (iso: string | null): string | null => (iso === null ? null : dayTimeText(Date.parse(iso)));

const textIn = (value: unknown): string | null => (typeof value === "string" ? value : null);

/** Everything the daemon knows of the worker, by name. */
export function AboutTab({ worker }: { readonly worker: WorkerView }) {
  const facts: readonly (readonly [string, string | null])[] = [
    ["id", worker.peer_id],
    ["agent", worker.harness],
    ["mode", worker.mode],
    ["model", worker.model],
    ["may do", worker.permission_mode ?? worker.permission_mode_asked],
    ["folder", worker.cwd],
    ["branch", textIn(worker.worktree?.["branch"])],
    ["worktree", textIn(worker.worktree?.["path"])],
    ["fleet", worker.fleet],
    ["process", worker.pid === null ? null : String(worker.pid)],
    ["start", String(worker.attempt)],
    ["since", dayTime(worker.since)],
    ["last sign of life", dayTime(worker.last_seen)],
    ["last progress", dayTime(worker.last_progress)],
    ["evidence", worker.evidence === null ? null : `event ${worker.evidence}`],
    ["mission", worker.mission],
  ];
  return (
    <dl class="facts scroll pad">
      {facts.map(([name, value]) =>
        value === null || value === "" ? null : (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{inert(value)}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
