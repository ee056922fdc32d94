import type { SessionTotals, TurnStopReason } from "claw-contract";
import { ClawError } from "claw-contract";
import type { Agent, TurnEvent, TurnProgress } from "../../../agent/index.ts";
import { newProgress } from "../../../agent/index.ts";
import type { OpenTurn } from "../../../sessions/index.ts";
import type { TurnRecord } from "./turn-record.ts";
import { createTurnRecorder } from "./turn-record.ts";

/** How a turn in a session went. */
export interface SessionTurn {
  readonly record: TurnRecord;
  readonly progress: TurnProgress;
  /** Null when the turn failed. */
  readonly stopReason: TurnStopReason | null;
  /** Whether the turn was told to stop, observed the signal, and ended without counting. */
  readonly cancelObserved: boolean;
  /** The totals of the session now; the totals before the turn when the turn does not count. */
  readonly totals: SessionTotals;
  /** The error that ended the turn early; undefined when the turn ended by itself. */
  readonly failure: unknown;
}

/** The stop reason of a turn whose signal was aborted for the given reason. */
function stoppedBy(reason: unknown): TurnStopReason {
  return reason instanceof ClawError && reason.code === "TIMEOUT" ? "timeout" : "cancelled";
}

/**
 * Runs one turn and stores it. The turn counts when it ended by itself after the model was asked. A turn that failed or
 * was stopped, and a turn whose limits left no room for a model request, leave the session unchanged. Never rejects:
 * the answer carries the error. The caller closes the open turn.
 */
export async function runInSession(
  agent: Agent,
  open: OpenTurn,
  prompt: string,
  watch: { readonly emit: (event: TurnEvent) => void; readonly signal: AbortSignal },
): Promise<SessionTurn> {
  const recorder = createTurnRecorder();
  const progress = newProgress();
  const context = {
    sessionId: open.sessionId,
    conversation: open.conversation,
    prompt,
    record: open.append.bind(open),
    recordCompaction: open.compact.bind(open),
  };
  const emit = (event: TurnEvent): void => {
    recorder.add(event);
    watch.emit(event);
  };
  const { record } = recorder;
  try {
    const stopReason = await agent.run(context, progress, { emit, signal: watch.signal });
    const totals = progress.iterations > 0 ? open.commit() : open.before;
    return { record, progress, stopReason, cancelObserved: false, totals, failure: undefined };
  } catch (failure) {
    const wasStopped = watch.signal.aborted;
    const stopReason = wasStopped ? stoppedBy(watch.signal.reason) : null;
    return { record, progress, stopReason, cancelObserved: wasStopped, totals: open.before, failure };
  }
}
