import type { WorkerView } from "claw-contract";
import { workerHash } from "../../app/route.ts";
import { Age } from "../../parts/age.tsx";
import { PhaseTrack } from "../../parts/phase-track.tsx";
import { Spending } from "../../parts/spending.tsx";
import { StatePill } from "../../parts/state-pill.tsx";
import type { Budget } from "../../store/moment.ts";
import { inertLine } from "../../text/inert.ts";
import { clockText } from "../../text/amounts.ts";
import { usePage } from "../../app/page.ts";

/** Where a state comes from, in words. */
const SOURCES: Readonly<Record<WorkerView["source"], string>> = {
  self: "says itself",
  stream: "agent's stream",
  hook: "agent's hook",
  terminal: "its terminal",
  process: "its process",
  clock: "by the clock",
  server: "the daemon",
};

/** When a wait is over, counted down. */
function Until({ until }: { readonly until: string | null }) {
  const { store } = usePage();
  if (until === null || store.past.value !== null) return null;
  const left = Date.parse(until) - store.now.value;
  return left > 0 ? <span class="until">{clockText(left)} left</span> : null;
}

/** Reason, source and age of a state. */
export function StateReason({ worker }: { readonly worker: WorkerView }) {
  return (
    <span class="reason">
      <span class="reason-text">{inertLine(worker.reason, 300)}</span>
      <span class="faint">
        {SOURCES[worker.source]}, <Age since={worker.as_of} /> <Until until={worker.until} />
      </span>
    </span>
  );
}

interface Named {
  readonly lead: string | undefined;
  readonly machine: string | undefined;
}

const subtitleOf = ({ harness, model, fleet, attempt }: WorkerView, { lead, machine }: Named): string =>
  [
    lead === undefined ? null : `for ${lead}`,
    machine === undefined ? null : `on ${machine}`,
    harness,
    model,
    fleet === null ? null : `fleet ${fleet}`,
    attempt > 1 ? `start ${attempt}` : null,
  ]
    .filter((part) => part !== null && part !== "")
    .join(" · ");

interface WorkerLineProps {
  readonly worker: WorkerView;
  readonly depth: number;
  readonly budget: Budget | undefined;
  /** Whether the worker's machine is named: the cluster has several. */
  readonly namesMachine: boolean;
}

/** A worker on one line, or on a card where the page is narrow. The whole line leads to the worker. */
export function WorkerRow({ worker, depth, budget, namesMachine }: WorkerLineProps) {
  const { store } = usePage();
  const { name, peer_id: peerId, parent_id: parentId, current_action: action, mission } = worker;
  // A parent in another group stands elsewhere in the list.
  const isApart = depth === 0 && parentId !== null;
  const lead = isApart ? store.moment.value?.workers.find(({ peer_id: id }) => id === parentId)?.name : undefined;
  const subtitle = subtitleOf(worker, { lead, machine: namesMachine ? worker.machine : undefined });
  return (
    <a class="worker-line" href={workerHash(peerId)} data-row>
      <span class="worker-name" style={{ paddingInlineStart: `${depth * 18}px` }}>
        <b>
          {depth > 0 && (
            <span role="img" aria-label="started by the worker above">
              ↳{" "}
            </span>
          )}
          {inertLine(name, 64)}
        </b>
        <span class="faint">{inertLine(subtitle, 80)}</span>
      </span>
      <StatePill worker={worker} />
      <StateReason worker={worker} />
      <span class="doing">{inertLine((worker.ended ? mission : (action ?? mission)) ?? "", 200)}</span>
      <PhaseTrack phase={worker.phase} />
      <Spending worker={worker} budget={budget} />
    </a>
  );
}
