import type { BusItem, Observer } from "claw-client";
import type { StateSource, WorkerView } from "claw-contract";
import { ClawError, ENDED_STATES, objectOf, OLDEST } from "claw-contract";
import type { Ports } from "../../runtime/handle.ts";
import type { OutputPiece } from "./terminal-output.ts";
import type { WorkerFiles } from "./worker-files.ts";
import { lookAgain } from "./worker-files.ts";
import { watchBus } from "../../bus/ask-bus.ts";

/** How long a reader of a crashed worker's log waits for news of a restart, and for a restart that is due. */
const LOG_RETURN_MS = 3000;
const LOG_RESTART_MS = 60_000;

export interface WorkerOutputOptions {
  readonly worker: WorkerFiles;
  readonly from: number;
  /** Whether to go on with new output until the worker has ended. */
  readonly follow: boolean;
}

/** Sources by which the worker itself reports the end of the work. Any other source only found the worker dead. */
const OWN_WORD: ReadonlySet<StateSource> = new Set(["self", "stream", "hook"]);

const hasSaidAll = ({ state, source }: WorkerView): boolean =>
  state === "finished" || (ENDED_STATES.has(state) && OWN_WORD.has(source));

/** How long to wait for a crashed worker, by the daemon's newest alert about the worker. */
function createPatience({ id }: WorkerFiles): { take(item: BusItem): void; isOver(): boolean } {
  const heardBy = Date.now() + LOG_RETURN_MS;
  let until = heardBy;
  return {
    take: (item) => {
      if (item.kind !== "event") return;
      const { peerId, action, due } = objectOf(item.data);
      const dueMs = typeof due === "string" ? Date.parse(due) : Number.NaN;
      if (peerId !== id) return;
      until = action === "restart" && !Number.isNaN(dueMs) ? dueMs + LOG_RESTART_MS : heardBy;
    },
    isOver: () => Date.now() > until,
  };
}

/** Waits for the next life of a worker that did not report its end; false when no life follows. */
async function returns(worker: WorkerFiles, bus: Observer, { signal }: Ports): Promise<boolean> {
  const { workers } = await bus.request("worker.list");
  const found = workers.find(({ peer_id: peerId }) => peerId === worker.id);
  if (found === undefined || hasSaidAll(found)) return false;
  const patience = createPatience(worker);
  const alerts = bus.subscribe("system.worker.alert", { from: OLDEST });
  const listen = async (): Promise<void> => {
    for await (const item of alerts) patience.take(item);
  };
  // A bus that goes away sends no more alerts; the time to wait is known by then.
  const heard = listen().catch(() => undefined);
  while (!(await worker.isRunning()) && !patience.isOver() && !signal.aborted) {
    await lookAgain(signal).catch(() => undefined);
  }
  alerts.close();
  await heard;
  return worker.isRunning();
}

/** Resolves with whether the worker runs. Without a daemon, a worker is not started again. */
async function goesOn(worker: WorkerFiles, ports: Ports): Promise<boolean> {
  if (await worker.isRunning()) return true;
  try {
    return watchBus(ports, async (bus) => {
      return await returns(worker, bus, ports);
    });
  } catch (error) {
    if (!(error instanceof ClawError)) throw error;
    return false;
  }
}

/** The transcript of a worker without a terminal, as it grows. Rejects with the signal's reason. */
export async function* workerOutput(
  { worker, from, follow }: WorkerOutputOptions,
  ports: Ports,
): AsyncGenerator<OutputPiece> {
  for (let offset = from; ;) {
    // Asked before the file is read: what a worker printed before it ended is in it by then.
    const isOn = follow && (await goesOn(worker, ports));
    for await (const bytes of worker.stream(offset)) {
      yield { offset, bytes };
      offset += bytes.length;
    }
    ports.signal.throwIfAborted();
    if (!isOn) return;
    await worker.whenMore(offset, ports.signal);
  }
}
