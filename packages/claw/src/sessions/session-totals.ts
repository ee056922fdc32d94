import type { SessionMessage, SessionRecord, SessionTotals } from "claw-contract";

export const EMPTY_TOTALS: SessionTotals = {
  messages: 0,
  prompts: 0,
  turns: 0,
  input_tokens: 0,
  output_tokens: 0,
  latest_total: 0,
  estimated_tokens: 0,
};

const CHARACTERS_PER_TOKEN = 4;

/** A rough estimate: a quarter of the characters, plus one token for each block. */
export function estimateTokens(message: SessionMessage): number {
  let tokens = 0;
  for (const block of message.blocks) {
    let characters = 0;
    for (const value of Object.values(block)) if (typeof value === "string") characters += value.length;
    tokens += Math.ceil(characters / CHARACTERS_PER_TOKEN) + 1;
  }
  return tokens;
}

type Usage = NonNullable<SessionMessage["usage"]>;

/** Adds the tokens of a request to the totals. */
export function addUsage(totals: SessionTotals, usage: Usage): SessionTotals {
  const { input_tokens = 0, output_tokens = 0, cache_creation_input_tokens = 0, cache_read_input_tokens = 0 } = usage;
  return {
    ...totals,
    input_tokens: totals.input_tokens + input_tokens,
    output_tokens: totals.output_tokens + output_tokens,
    ...(cache_creation_input_tokens + cache_read_input_tokens === 0
      ? {}
      : {
          cache_creation_input_tokens: (totals.cache_creation_input_tokens ?? 0) + cache_creation_input_tokens,
          cache_read_input_tokens: (totals.cache_read_input_tokens ?? 0) + cache_read_input_tokens,
        }),
  };
}

/** All tokens of a request and the model's answer, including cached tokens. */
const contextTokens = ({
  input_tokens = 0,
  output_tokens = 0,
  cache_creation_input_tokens = 0,
  cache_read_input_tokens = 0,
}: Usage): number => input_tokens + cache_creation_input_tokens + cache_read_input_tokens + output_tokens;

/** Adds a message to the totals. */
export function addMessage(totals: SessionTotals, message: SessionMessage): SessionTotals {
  const { usage, role } = message;
  return {
    ...addUsage(totals, usage ?? {}),
    messages: totals.messages + 1,
    prompts: totals.prompts + (role === "user" ? 1 : 0),
    latest_total: usage === undefined ? totals.latest_total : contextTokens(usage),
    estimated_tokens: totals.estimated_tokens + estimateTokens(message),
  };
}

/** Totals after a whole turn. */
export function addTurn(totals: SessionTotals, messages: readonly SessionMessage[]): SessionTotals {
  const sum = messages.reduce(addMessage, totals);
  return { ...sum, turns: sum.turns + 1 };
}

/** Counts a session record by record. */
export interface Tally {
  readonly add: (record: SessionRecord) => void;
  /** Totals of all committed turns. */
  readonly totals: () => SessionTotals;
  /** Number of messages whose turn is not committed yet. */
  readonly uncommitted: () => number;
}

/**
 * A message of a turn waits for the turn's commit, which carries the new totals. A message without a turn counts at
 * once: session files of other programs have no turns.
 */
export function createTally(): Tally {
  const waiting = new Map<string, number>();
  let totals = EMPTY_TOTALS;
  return {
    add: (record) => {
      if (record.type === "turn_commit") {
        waiting.delete(record.turn_id);
        totals = record.totals;
      } else if (record.type === "message" && record.turn_id !== undefined) {
        waiting.set(record.turn_id, (waiting.get(record.turn_id) ?? 0) + 1);
      } else if (record.type === "compaction") {
        if (record.turn_id === undefined) totals = addUsage(totals, record.usage ?? {});
      } else if (record.type === "message") {
        totals =
          record.message.role === "user" ? addTurn(totals, [record.message]) : addMessage(totals, record.message);
      }
    },
    totals: () => totals,
    uncommitted: () => [...waiting.values()].reduce((sum, count) => sum + count, 0),
  };
}
