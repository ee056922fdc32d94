import { LIMITS } from "claw-contract";
import type { Extensions } from "../extension/extension.ts";
import type { SavedFence } from "../leases/fence.ts";
import type { EventLog } from "../log/index.ts";
import type { PublishShelf } from "../publish/publishing.ts";
import type { Server } from "../server.ts";
import type { Knowledge } from "../state/knowledge.ts";
import type { Snapshots } from "./snapshots.ts";
import { createRecall } from "../publish/recall-events.ts";
import { fitsState, loadState, saveState } from "../state/bus-state.ts";
import type { Snapshot } from "./snapshot-store.ts";

/** Shelves that a snapshot saves. */
interface Captured extends Pick<Knowledge, "state" | "projections">, Pick<PublishShelf, "dedupe"> {
  readonly log: EventLog;
  readonly extensions: Extensions;
}

/** Shelves that a start fills again. */
interface Restored extends Captured, Pick<Server, "report"> {
  readonly snapshots: Snapshots;
}

/** Captures the current state for a snapshot. Called between two commits. */
export function captureState({ log, state, dedupe, projections, extensions }: Captured): Snapshot {
  const sequence = projections.through();
  const fence = projections.fence.save();
  const known = { ...saveState(state), ...extensions.save(), ...(fence === undefined ? {} : { fence }) };
  return { epoch: log.epoch, sequence, state: known, events: dedupe.remembered(sequence) };
}

/** Loads the newest snapshot. Returns the sequence up to which the state is complete; 0 without a usable snapshot. */
function takeUp(context: Restored): number {
  const { log, state, dedupe, projections, snapshots, extensions } = context;
  const snapshot = snapshots.load({ epoch: log.epoch, head: log.head() });
  if (snapshot === undefined) return 0;
  if (!fitsState(state, snapshot.state) || !extensions.fits(snapshot.state)) {
    context.report("the newest snapshot is not used: it does not tell everything");
    return 0;
  }
  loadState(state, snapshot.state);
  extensions.load(snapshot.state);
  // Absent in a log with one writer, and in older snapshots.
  const fence = snapshot.state["fence"] as SavedFence | undefined;
  if (fence !== undefined) projections.fence.load(fence);
  for (const piece of snapshot.events) dedupe.remember(piece);
  projections.startAfter(snapshot.sequence);
  return snapshot.sequence;
}

/** Restores the state of the bus: from the newest snapshot and the events after it, or from the whole log. */
export async function restoreState(context: Restored): Promise<void> {
  const { log, projections, dedupe } = context;
  projections.holdBack(true);
  const known = takeUp(context);
  const recall = createRecall(dedupe);
  const horizon = log.head() - LIMITS.dedupeEntries;
  if (known > 0 && known + 1 < log.oldest()) {
    context.report(`events ${known + 1} to ${log.oldest() - 1} are neither in the log nor in a snapshot`);
  }
  for (let after = Math.max(known, log.oldest() - 1); ;) {
    const { events, through } = await log.read(after);
    if (events.length === 0 && after >= log.head()) {
      projections.holdBack(false);
      return context.snapshots.begin(known);
    }
    for (const event of events) {
      projections.apply(event, false);
      if (event.sequence > horizon) recall(event);
    }
    after = through;
  }
}
