import type { SessionTotals, TurnStopReason, VerbOutput } from "claw-contract";
import { ClawError, parseObject } from "claw-contract";
import type { Agent, TurnEvent, TurnProgress } from "../../../agent/index.ts";
import { newProgress } from "../../../agent/index.ts";
import type { OpenTurn } from "../../../sessions/index.ts";

type Output = VerbOutput<"prompt">;

/** The calls, results and denials of a turn, gathered from events for the answer. */
interface TurnRecord {
  readonly tool_uses: NonNullable<Output["tool_uses"]>;
  readonly tool_results: NonNullable<Output["tool_results"]>;
  readonly permission_denials: NonNullable<Output["permission_denials"]>;
}

/** A list that stands in the order of the calls its items are about, whichever of them came first. */
function createOrdered<T>(items: T[]): (item: T, place: number) => void {
  const places: number[] = [];
  return (item, place) => {
    const at = places.findLastIndex((other) => other <= place) + 1;
    places.splice(at, 0, place);
    items.splice(at, 0, item);
  };
}

/**
 * Gathers calls, and results and denials in the order of the calls. Calls and results of sub-agents are left out. A
 * denial of a sub-agent stands with the call that started the sub-agent.
 */
export function createTurnRecorder(): { readonly record: TurnRecord; add(event: TurnEvent): void } {
  const record: TurnRecord = { tool_uses: [], tool_results: [], permission_denials: [] };
  const order = new Map<string, number>();
  const addResult = createOrdered(record.tool_results);
  const addDenial = createOrdered(record.permission_denials);
  const placeOf = (id: string): number => order.get(id) ?? order.size;
  return {
    record,
    add: (event) => {
      if (event.kind === "denied") {
        addDenial(event.denial, placeOf(event.agent ?? event.denial.tool_use_id));
      } else if (event.agent !== undefined) {
        return;
      } else if (event.kind === "assistant") {
        for (const block of event.blocks) {
          if (block.type !== "tool_use") continue;
          const { id, name, input } = block;
          order.set(id, record.tool_uses.length);
          record.tool_uses.push({ id, name, input, input_json: parseObject(input) ?? null });
        }
      } else if (event.kind === "tool-result") {
        const { id, name, output, isError } = event;
        addResult({ tool_use_id: id, tool_name: name, output, is_error: isError }, placeOf(id));
      }
    },
  };
}

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
