import type { LedgerEntry } from "./call-ledger.ts";
import { openCallLedger, sumEntries } from "./call-ledger.ts";
import { allTokens } from "../../harness/index.ts";
import { readJob } from "../worker-life.ts";
import { createAgentSpending } from "./spending.ts";
import { openStateFile } from "../worker-state.ts";

/** A life of a worker that ended before reporting all its usage. */
interface EndedLife {
  readonly folder: string;
  readonly bootId: string;
  readonly reportedTokens: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

interface Unreported {
  readonly tokens: number;
  readonly costUsd: number;
  readonly unknownCalls: number;
}

const NO_REPORT = (): void => undefined;

/**
 * The entries of a life whose tokens were not reported. They are the last ones, because a life reports in counting
 * order.
 */
export function unreportedOf(entries: readonly LedgerEntry[], reportedTokens: number): readonly LedgerEntry[] {
  let tokens = 0;
  return entries.filter((entry) => (tokens += allTokens(entry.tokens)) > reportedTokens);
}

/** Whether the last entry is a question to the model without an answer. */
export const endsAsking = (entries: readonly LedgerEntry[]): boolean => entries.at(-1)?.kind === "asked";

/**
 * After a life was cut off, completes the worker's ledger from the agent's files. Resolves with the usage that the life
 * did not report; null when all usage was reported.
 */
export async function settleLife({ folder, bootId, reportedTokens, env }: EndedLife): Promise<Unreported | null> {
  const job = readJob(folder);
  const { sessionId, terminalId } = openStateFile(folder, NO_REPORT).read();
  const ledger = openCallLedger(folder, NO_REPORT);
  const isAsking = endsAsking(ledger.entries());
  const spending = createAgentSpending({ job, env, ledger });
  if (sessionId !== null) spending.session(sessionId);
  // An agent in a terminal outlives the worker's process, and may still get its answers.
  if (job.mode === "interactive" && terminalId !== null) spending.look();
  else spending.processEnded();
  const hasAnswer = ledger.entries().at(-1)?.kind === "call";
  const own = ledger.entries().filter(({ life }) => life === bootId);
  const late = unreportedOf(own, reportedTokens);
  const { tokens, usd: costUsd } = sumEntries(late);
  const unknownCalls = Math.max(spending.total().unknownCalls, isAsking && !hasAnswer ? 1 : 0);
  return allTokens(tokens) === 0 && unknownCalls === 0 ? null : { tokens: allTokens(tokens), costUsd, unknownCalls };
}
