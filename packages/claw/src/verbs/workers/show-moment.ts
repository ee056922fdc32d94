import type { Observer } from "claw-client";
import type { ReceivedReply, RequestFields } from "claw-contract";
import type { Ports } from "../runtime/handle.ts";
import { readSince } from "../bus/read-since.ts";

type Moment = NonNullable<ReceivedReply<"moment.show">["moment"]>;

interface MomentAsked extends Omit<RequestFields<"moment.show">, "at" | "time"> {
  /** A cursor, a time, or an age. */
  readonly at: string;
}

const percent = ({ done, total }: { readonly done: number; readonly total: number }): number =>
  Math.floor((100 * done) / Math.max(1, total));

/**
 * Asks for an earlier moment until it is ready, and shows how far the log is read meanwhile. Throws INVALID_CURSOR,
 * MOMENT_GONE.
 */
export async function momentText(
  bus: Pick<Observer, "request">,
  { at, ...asked }: MomentAsked,
  { live, signal }: Pick<Ports, "live" | "signal">,
): Promise<Moment> {
  const since = readSince(at, Date.now(), "--at");
  const place = since.kind === "cursor" ? { at: since.cursor } : { time: Math.max(0, since.ms) };
  for (;;) {
    const { moment, progress } = await bus.request("moment.show", { ...asked, ...place });
    signal.throwIfAborted();
    if (moment !== null) return moment;
    if (progress !== null) live?.show(`reading the log: ${percent(progress)} %`);
  }
}
