import { useMemo, useState } from "preact/hooks";
import { Notice } from "../../parts/notice.tsx";
import { StartWorker } from "../../parts/start-worker.tsx";
import { VirtualList } from "../../parts/virtual-list.tsx";
import { usePage } from "../../app/page.ts";
import { viewHash } from "../../app/route.ts";
import type { WorkerGroup, WorkerLine } from "./group-workers.ts";
import { groupWorkers } from "./group-workers.ts";
import { MachineFilter, onMachine, useMachines } from "./machine-filter.tsx";
import { WorkerRow } from "./worker-line.tsx";

const HEADINGS: Readonly<Record<WorkerGroup, string>> = {
  needs: "Need you",
  working: "Working",
  waiting: "Waiting",
  ended: "Ended",
};

const keyOf = (line: WorkerLine): string => (line.kind === "heading" ? line.group : line.worker.peer_id);
const LINE_HEIGHT = 62;

function Empty() {
  return (
    <Notice title="No worker yet">
      <p>A worker is an agent that the daemon watches, checks and restarts.</p>
      <StartWorker />
    </Notice>
  );
}

export function WorkersView() {
  const { store, needs } = usePage();
  const moment = store.moment.value;
  const workers = moment?.workers ?? [];
  const needed = useMemo(() => new Set(needs.value.flatMap(({ peerId }) => peerId ?? [])), [needs.value]);
  const machines = useMachines();
  const [wanted, choose] = useState<string | null>(null);
  const hasSeveral = machines.length > 1;
  // A machine may leave the list while its workers are shown.
  const chosen = machines.some(({ name }) => name === wanted) ? wanted : null;
  const lines = useMemo(() => groupWorkers(onMachine(workers, chosen), needed), [workers, needed, chosen]);
  const budgets = useMemo(
    () => new Map((moment?.budgets ?? []).flatMap((each) => (each.scope === "worker" ? [[each.id, each]] : []))),
    [moment?.budgets],
  );
  if (workers.length === 0) return <Empty />;
  return (
    <div class="view view-list">
      <h1 class="unseen">Workers</h1>
      {hasSeveral && <MachineFilter machines={machines} workers={workers} chosen={chosen} choose={choose} />}
      <VirtualList
        items={lines}
        keyOf={keyOf}
        estimate={LINE_HEIGHT}
        label="Workers"
        render={(line) =>
          line.kind === "heading" ? (
            <h2 class={`group group-${line.group}`}>
              {HEADINGS[line.group]} <span class="faint">{line.count}</span>
              {line.group === "needs" && <a href={viewHash("needs")}>answer</a>}
            </h2>
          ) : (
            <WorkerRow
              worker={line.worker}
              depth={line.depth}
              budget={budgets.get(line.worker.peer_id)}
              namesMachine={hasSeveral}
            />
          )
        }
      />
    </div>
  );
}
