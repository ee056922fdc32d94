import type { ReadRequest } from "claw-contract";
import { epochOf } from "claw-contract";
import type { EventLog } from "../../bus/index.ts";

/** The place of a moment in the log. `time` is set when the moment was named by a time. */
export type FoundMoment =
  | { readonly kind: "found"; readonly sequence: number; readonly time: number | undefined }
  | { readonly kind: "refused"; readonly why: string }
  /** The cursor belongs to a log that was replaced. */
  | { readonly kind: "gone" };

type MomentLog = Pick<EventLog, "epoch" | "head" | "oldest" | "sequenceAt">;

async function atTime(log: MomentLog, time: number, nowMs: number): Promise<FoundMoment> {
  if (time > nowMs) return { kind: "refused", why: "the moment is in the future" };
  // Events stored in this very millisecond count too.
  const sequence = await log.sequenceAt(new Date(Math.floor(time) + 1));
  return { kind: "found", sequence, time };
}

/** Finds the place that a request names. */
export async function findMoment(
  log: MomentLog,
  { at, time }: Pick<ReadRequest<"moment.show">, "at" | "time">,
  nowMs: number,
): Promise<FoundMoment> {
  if (at === undefined) return atTime(log, time ?? nowMs, nowMs);
  if (time !== undefined) return { kind: "refused", why: "a moment has a cursor or a time, not both" };
  const sequence = Number(at.slice(at.indexOf(":") + 1));
  if (epochOf(at) === "0000" && sequence === 0) return { kind: "found", sequence: log.oldest() - 1, time: undefined };
  if (epochOf(at) !== log.epoch) return { kind: "gone" };
  if (sequence > log.head()) return { kind: "refused", why: "the cursor is beyond the end of the log" };
  return { kind: "found", sequence, time: undefined };
}
