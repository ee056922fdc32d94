import type { ReadRequest, ReplyFields, WorkerRecord, WorkerView } from "claw-contract";
import type { EndSummary, WorkerMap } from "./worker-map.ts";
import { endSummaryOf } from "./worker-map.ts";

interface Listing {
  readonly workers: Pick<WorkerMap, "peerIds" | "endOf">;
  /** The worker's record as of now. */
  readonly recordOf: (peerId: string) => WorkerRecord | undefined;
  readonly viewOf: (worker: WorkerRecord) => WorkerView;
  readonly nowMs: number;
}

/**
 * Answers `worker.list`. Records of workers that are only counted are not read. Serves the row `claw ps` of bench
 * growth.
 */
export function pickWorkers(
  { workers, recordOf, viewOf, nowMs }: Listing,
  { fleet, endedWithinMs }: ReadRequest<"worker.list">,
): ReplyFields<"worker.list"> {
  const endedAfter = nowMs - (endedWithinMs ?? Infinity);
  const isMeant = (end: EndSummary): boolean => fleet === undefined || end.fleet === fleet;
  const isShown = ({ endedAt }: EndSummary): boolean => endedAt === null || endedAt >= endedAfter;
  const shown: WorkerView[] = [];
  let hidden = 0;
  for (const peerId of workers.peerIds()) {
    const known = workers.endOf(peerId);
    const record = known === undefined || (isMeant(known) && isShown(known)) ? recordOf(peerId) : undefined;
    const end = record === undefined ? known : endSummaryOf(record);
    if (end === undefined || !isMeant(end)) continue;
    if (record !== undefined && isShown(end)) shown.push(viewOf(record));
    else hidden += 1;
  }
  return endedWithinMs === undefined ? { workers: shown } : { workers: shown, hidden };
}
