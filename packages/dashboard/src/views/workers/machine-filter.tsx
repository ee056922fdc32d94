import { useEffect, useState } from "preact/hooks";
import type { ReceivedReply, WorkerView } from "claw-contract";
import { usePage } from "../../app/page.ts";
import { inertLine } from "../../text/inert.ts";
import { useAsked } from "../worker/use-asked.ts";

type Machine = ReceivedReply<"machine.list">["machines"][number];

/** How often the page asks which machines are up: in a cluster, and without one. */
const ASK_MS = 5000;
const ASK_ALONE_MS = 60_000;

/**
 * The machines of the cluster, by name; none without a cluster. When a machine goes away or comes back, the page asks
 * for the workers too, and again while a machine is away: its workers become `stale` and later `gone`, and no event tells it.
 */
export function useMachines(): readonly Machine[] {
  const { store } = usePage();
  const [isAlone, setAlone] = useState(false);
  const round = Math.floor(store.now.value / (isAlone ? ASK_ALONE_MS : ASK_MS));
  const asked = useAsked(`machines ${round}`, (client) => client.request("machine.list"));
  const machines = asked.kind === "answered" ? asked.answer.machines : [];
  const heard = machines.map(({ name, up }) => (up ? name : `${name} away ${round}`)).join();
  useEffect(() => {
    if (asked.kind !== "answered") return;
    setAlone(machines.length < 2);
    store.look();
  }, [heard, asked.kind, store]);
  return machines;
}

/** The workers of one machine; of all machines when none is chosen. */
export const onMachine = (workers: readonly WorkerView[], machine: string | null): readonly WorkerView[] =>
  machine === null ? workers : workers.filter((worker) => worker.machine === machine);

interface MachineFilterProps {
  readonly machines: readonly Machine[];
  readonly workers: readonly WorkerView[];
  readonly chosen: string | null;
  readonly choose: (machine: string | null) => void;
}

/** Chooses the machine whose workers are listed. */
export function MachineFilter({ machines, workers, chosen, choose }: MachineFilterProps) {
  const counted = (machine: string | null): number => onMachine(workers, machine).filter(({ ended }) => !ended).length;
  const entries = [
    { name: null, label: "All machines", away: false },
    ...machines.map(({ name, here, up }) => ({
      name,
      label: `${inertLine(name, 64)}${here ? " (here)" : ""}`,
      away: !up,
    })),
  ];
  return (
    <div class="machines" role="group" aria-label="Machines">
      {entries.map(({ name, label, away }) => (
        <button
          key={name ?? ""}
          type="button"
          class="button button-small"
          aria-pressed={chosen === name}
          onClick={() => choose(name)}
        >
          {label} <span class="faint">{away ? "away" : counted(name)}</span>
        </button>
      ))}
    </div>
  );
}
