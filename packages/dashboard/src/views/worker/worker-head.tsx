import { useState } from "preact/hooks";
import type { WorkerView } from "claw-contract";
import { usePage } from "../../app/page.ts";
import { viewHash, workerHash } from "../../app/route.ts";
import { BusyButton } from "../../parts/busy-button.tsx";
import { PhaseTrack } from "../../parts/phase-track.tsx";
import { Spending } from "../../parts/spending.tsx";
import { StatePill } from "../../parts/state-pill.tsx";
import { inertLine } from "../../text/inert.ts";
import { Judging } from "../needs/report-card.tsx";
import { StateReason } from "../workers/worker-line.tsx";
import { CommandState } from "./command-state.tsx";

/** Stopping a worker takes a second press, because nothing brings the run back. */
function AbortButton({ worker, sent }: { readonly worker: WorkerView; readonly sent: (sequence: number) => void }) {
  const { store } = usePage();
  const [isSure, setSure] = useState(false);
  if (!isSure) {
    return (
      <button type="button" class="button button-danger" disabled={!store.canAct.value} onClick={() => setSure(true)}>
        Abort
      </button>
    );
  }
  return (
    <>
      <BusyButton
        tone="danger"
        disabled={!store.canAct.value}
        done={`Told ${inertLine(worker.name, 60)} to stop`}
        run={async () => {
          sent(await store.act.abort(worker.peer_id, "stopped on the dashboard"));
          setSure(false);
        }}
      >
        Yes, stop it
      </BusyButton>
      <button type="button" class="button" onClick={() => setSure(false)}>
        Keep it
      </button>
    </>
  );
}

function RunButtons({ worker }: { readonly worker: WorkerView }) {
  const { store } = usePage();
  const [sequence, setSequence] = useState<number | null>(null);
  if (worker.ended) return null;
  const isPaused = worker.state === "paused";
  const act = isPaused ? store.act.resume : store.act.pause;
  return (
    <div class="run-buttons">
      <BusyButton
        disabled={!store.canAct.value}
        done={`Told ${inertLine(worker.name, 60)} to ${isPaused ? "go on" : "pause"}`}
        run={async () => setSequence(await act(worker.peer_id))}
      >
        {isPaused ? "Resume" : "Pause"}
      </BusyButton>
      <AbortButton worker={worker} sent={setSequence} />
      <CommandState sequence={sequence} />
    </div>
  );
}

/** Whether a person has to accept the report or ask for rework. */
const isToJudge = ({ completion }: WorkerView): boolean =>
  completion === "reported" || completion === "verified" || completion === "failed_checks";

function Lineage({ worker }: { readonly worker: WorkerView }) {
  const { store } = usePage();
  const workers = store.moment.value?.workers ?? [];
  const parent = workers.find(({ peer_id: id }) => id === worker.parent_id);
  const children = workers.filter(({ parent_id: id }) => id === worker.peer_id);
  if (parent === undefined && children.length === 0) return null;
  return (
    <p class="links faint">
      {parent !== undefined && (
        <span>
          works for <a href={workerHash(parent.peer_id)}>{inertLine(parent.name, 60)}</a>
        </span>
      )}
      {children.length > 0 && (
        <span>
          started{" "}
          {children.map(({ peer_id: id, name }, index) => (
            <span key={id}>
              {index > 0 && ", "}
              <a href={workerHash(id)}>{inertLine(name, 60)}</a>
            </span>
          ))}
        </span>
      )}
    </p>
  );
}

export function WorkerHead({ worker }: { readonly worker: WorkerView }) {
  const { store } = usePage();
  const { name, machine, mission, peer_id: peerId } = worker;
  const budget = store.moment.value?.budgets.find(({ scope, id }) => scope === "worker" && id === peerId);
  return (
    <header class="worker-head">
      <div class="worker-title">
        <a class="back" href={viewHash("workers")} aria-label="All workers">
          ‹
        </a>
        <h1>{inertLine(name, 64)}</h1>
        <StatePill worker={worker} />
        <PhaseTrack phase={worker.phase} />
        <Spending worker={worker} budget={budget} />
      </div>
      <StateReason worker={worker} />
      {machine !== undefined && <p class="faint">on machine {inertLine(machine, 64)}</p>}
      {mission !== null && <p class="mission">{inertLine(mission, 400)}</p>}
      <Lineage worker={worker} />
      {isToJudge(worker) && <Judging peerId={peerId} name={name} isFailed={worker.completion === "failed_checks"} />}
      <RunButtons worker={worker} />
    </header>
  );
}
