import { randomUUID } from "node:crypto";
import type { AgentTotal, CallTokens } from "../../harness/index.ts";
import { addTokens, allTokens, largerTokens, lessTokens, NO_TOKENS } from "../../harness/index.ts";
import type { LedgerEntry } from "./call-ledger.ts";

/** What one process of an agent has used. */
export interface ProcessSum {
  readonly tokens: CallTokens;
  readonly usd: number;
  /** Whether the dollars follow from tokens and prices, in part at least. */
  readonly isEstimate: boolean;
}

/** Tokens and dollars of entries together. */
export const sumEntries = (entries: readonly LedgerEntry[]): { readonly tokens: CallTokens; readonly usd: number } => ({
  tokens: entries.map(({ tokens }) => tokens).reduce(addTokens, NO_TOKENS),
  usd: entries.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
});

/**
 * The agent's total without what it carried over from an earlier process. Claude Code carries its count over when it ended
 * in good order, and begins at nothing after a crash. What this process counted itself tells the two apart.
 */
export function ownTotal(told: AgentTotal, counted: CallTokens, carried: AgentTotal | null): AgentTotal {
  if (carried === null) return told;
  const isCarried = allTokens(told.tokens) - allTokens(counted) >= allTokens(carried.tokens);
  if (!isCarried) return told;
  const costUsd = told.costUsd === null ? null : Math.max(0, told.costUsd - (carried.costUsd ?? 0));
  return { tokens: lessTokens(told.tokens, carried.tokens), costUsd };
}

/** Dollars of the calls that came after the agent told its total, in the order in which they were counted. */
function usdBeyond(entries: readonly LedgerEntry[], told: CallTokens): number {
  let tokens = 0;
  const later = entries.filter((entry) => (tokens += allTokens(entry.tokens)) > allTokens(told));
  return sumEntries(later).usd;
}

/** Adds up a process: its calls one by one, and the agent's own total once it has told one. Pure. */
export function sumProcess(
  entries: readonly LedgerEntry[],
  told: AgentTotal | null,
  carried: AgentTotal | null,
): ProcessSum {
  const { tokens: counted, usd } = sumEntries(entries);
  if (told === null) return { tokens: counted, usd, isEstimate: usd > 0 };
  const { tokens, costUsd } = ownTotal(told, counted, carried);
  const all = largerTokens(counted, tokens);
  if (costUsd === null) return { tokens: all, usd, isEstimate: usd > 0 };
  const later = usdBeyond(entries, tokens);
  return { tokens: all, usd: costUsd + later, isEstimate: later > 0 };
}

/** What the sum of a process differs by from its calls, as an entry of the ledger; none when they agree. */
export function correctionOf(sum: ProcessSum, entries: readonly LedgerEntry[], life: string): LedgerEntry[] {
  const counted = sumEntries(entries);
  const tokens = lessTokens(sum.tokens, counted.tokens);
  const usd = sum.usd - counted.usd;
  if (allTokens(tokens) === 0 && Math.abs(usd) < LEAST_USD) return [];
  return [{ id: randomUUID(), life, kind: "correction", model: null, tokens, usd }];
}

/** Smaller differences are what floating point makes of a sum. */
const LEAST_USD = 1e-9;
