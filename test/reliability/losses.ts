import { isDeepStrictEqual } from "node:util";
import type { CrashPlan, CrashResult } from "./crash-rounds.ts";

const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((left, right) => left - right);

/** What is wrong after the crashes; nothing when everybody saw the same and all that was acknowledged is there, once. */
export function lossesOf({ seen, stored, receipts }: CrashResult, plan: CrashPlan): string[] {
  const total = plan.clients * plan.rounds * plan.eventsPerRound;
  const sequences = stored.map(({ sequence }) => sequence);
  const ids = new Set(stored.map(({ id }) => id));
  const found = [
    stored.length !== total && `${stored.length} of ${total} events are stored`,
    ids.size !== stored.length && `${stored.length - ids.size} events are stored twice`,
    !isDeepStrictEqual(sequences, ascending(sequences)) && "the log is out of order",
    !isDeepStrictEqual(ascending(receipts.map(({ sequence }) => sequence)), sequences) && "a receipt names no event",
    ...seen.map((each, client) => !isDeepStrictEqual(each, stored) && `client ${client} saw another sequence`),
  ];
  return found.filter((problem) => problem !== false);
}
