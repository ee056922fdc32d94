import type { RunFacts } from "./run-facts.ts";
import type { Failure, TurnEnd, Usage } from "./run-update.ts";

/** What an agent wrote down of its own conversation, beside its stream. What it did not write down is null. */
export interface SessionRecord {
  /** The model of the last turn. */
  readonly model: string | null;
  /** Totals of the conversation. */
  readonly usage: Usage | null;
  /** Why the last turn failed. */
  readonly failure: Failure | null;
}

export const NO_RECORD: SessionRecord = { model: null, usage: null, failure: null };

/** A failure of which the stream tells the text alone gets the facts that the agent wrote down. */
function withFacts<End extends Failure | null>(told: End, written: Failure): End | Failure {
  return told === null || told.error !== written.error ? told : { ...told, ...written };
}

function withFailure(facts: RunFacts, written: Failure): Pick<RunFacts, "failure" | "turnEnd"> {
  const { failure, turnEnd } = facts;
  const end: TurnEnd | null = turnEnd === null ? null : { ...turnEnd, failure: withFacts(turnEnd.failure, written) };
  return { failure: withFacts(failure, written), turnEnd: end };
}

/** The facts of a stream with what it leaves out. What the stream tells stays. */
export function withRecord(facts: RunFacts, { model, usage, failure }: SessionRecord): RunFacts {
  return {
    ...facts,
    model: facts.model ?? model,
    usage: usage === null ? facts.usage : { ...usage, ...facts.usage },
    ...(failure === null ? {} : withFailure(facts, failure)),
  };
}
