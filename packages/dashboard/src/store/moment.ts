import type { ReceivedReply } from "claw-contract";
import { ClawError, REQUEST_LIMITS } from "claw-contract/client";
import type { PageClient } from "./link.ts";

/** The fleet at one cursor of the log. */
export type Moment = NonNullable<ReceivedReply<"moment.show">["moment"]>;
export type Budget = Moment["budgets"][number];

/** Which moment is shown: null is now. */
export type MomentRef = { readonly cursor: string } | { readonly time: number } | null;

/** Told how much of the log the daemon has read for a moment of the past, from 0 to 1. */
export type OnProgress = (share: number) => void;

const fieldsOf = (at: MomentRef) =>
  at === null ? {} : "cursor" in at ? { at: at.cursor } : { time: Math.max(0, Math.round(at.time)) };

/**
 * The fleet now or at a moment. A moment far back takes several requests, each of which does a bounded part of the work.
 * `isWanted` ends that when a person has moved on; the answer is then null.
 */
export async function fetchMoment(
  client: PageClient,
  at: MomentRef,
  { isWanted, progressed }: { readonly isWanted: () => boolean; readonly progressed: OnProgress },
): Promise<Moment | null> {
  while (isWanted()) {
    const { moment, progress } = await client.request("moment.show", {
      ...fieldsOf(at),
      endedWithinMs: REQUEST_LIMITS.needsShownMs,
      allApprovals: true,
    });
    if (moment !== null) return moment;
    if (progress === null) throw incomplete();
    progressed(progress.total === 0 ? 0 : progress.done / progress.total);
  }
  return null;
}

const incomplete = (): ClawError =>
  new ClawError("BUS_INCOMPATIBLE", "the daemon shows no moment", { operation: "request", target: "moment.show" });
