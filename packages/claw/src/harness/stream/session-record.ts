import type { RunFacts } from "./run-facts.ts";
import type { RunFailure, TurnEnd, AgentUsage } from "./run-update.ts";

/**
 * An agent's own record of a conversation, kept in files beside its stream. A field that the agent did not write is
 * null.
 */
export interface AgentSessionRecord {
  /** The model of the last turn. */
  readonly model: string | null;
  /** Totals of the conversation. */
  readonly usage: AgentUsage | null;
  /** Why the last turn failed. */
  readonly failure: RunFailure | null;
}

export const NO_RECORD: AgentSessionRecord = { model: null, usage: null, failure: null };

/** Adds the recorded facts, such as the HTTP status, to a failure of the stream that has the same error text. */
function withFacts<End extends RunFailure | null>(reported: End, written: RunFailure): End | RunFailure {
  return reported === null || reported.error !== written.error ? reported : { ...reported, ...written };
}

function withFailure(facts: RunFacts, written: RunFailure): Pick<RunFacts, "failure" | "turnEnd"> {
  const { failure, turnEnd } = facts;
  const end: TurnEnd | null = turnEnd === null ? null : { ...turnEnd, failure: withFacts(turnEnd.failure, written) };
  return { failure: withFacts(failure, written), turnEnd: end };
}

/** Adds recorded facts that the stream leaves out. Facts from the stream stay unchanged. */
export function withRecord(facts: RunFacts, { model, usage, failure }: AgentSessionRecord): RunFacts {
  return {
    ...facts,
    model: facts.model ?? model,
    usage: usage === null ? facts.usage : { ...usage, ...facts.usage },
    ...(failure === null ? {} : withFailure(facts, failure)),
  };
}
