import { randomUUID } from "node:crypto";
import type { AgentTotal, CallTokens } from "../../harness/index.ts";
import { addTokens, allTokens, largerTokens, lessTokens, NO_TOKENS } from "../../harness/index.ts";
import type { LedgerEntry } from "./call-ledger.ts";

/** The usage of a single agent process. */
export interface ProcessSum {
  readonly tokens: CallTokens;
  readonly usd: number;
  /** Whether at least part of the dollars is computed from tokens and prices. */
  readonly isEstimate: boolean;
}

/** Sums the tokens and dollars of entries. */
export const sumEntries = (entries: readonly LedgerEntry[]): { readonly tokens: CallTokens; readonly usd: number } => ({
  tokens: entries.map(({ tokens }) => tokens).reduce(addTokens, NO_TOKENS),
  usd: entries.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
});

/**
 * The agent's total without the part carried over from an earlier process. Claude Code carries its count over after a
 * clean end, and starts at zero after a crash. The calls counted in this process tell the two cases apart.
 */
export function ownTotal(reported: AgentTotal, counted: CallTokens, carried: AgentTotal | null): AgentTotal {
  if (carried === null) return reported;
  const isCarried = allTokens(reported.tokens) - allTokens(counted) >= allTokens(carried.tokens);
  if (!isCarried) return reported;
  const costUsd = reported.costUsd === null ? null : Math.max(0, reported.costUsd - (carried.costUsd ?? 0));
  return { tokens: lessTokens(reported.tokens, carried.tokens), costUsd };
}

/** Dollars of the calls counted after the agent told its total. */
function usdBeyond(entries: readonly LedgerEntry[], reported: CallTokens): number {
  let tokens = 0;
  const later = entries.filter((entry) => (tokens += allTokens(entry.tokens)) > allTokens(reported));
  return sumEntries(later).usd;
}

/** Sums up a process: the counted calls, and the agent's own total once it is known. Pure. */
export function sumProcess(
  entries: readonly LedgerEntry[],
  reported: AgentTotal | null,
  carried: AgentTotal | null,
): ProcessSum {
  const { tokens: counted, usd } = sumEntries(entries);
  if (reported === null) return { tokens: counted, usd, isEstimate: usd > 0 };
  const { tokens, costUsd } = ownTotal(reported, counted, carried);
  const all = largerTokens(counted, tokens);
  if (costUsd === null) return { tokens: all, usd, isEstimate: usd > 0 };
  const later = usdBeyond(entries, tokens);
  return { tokens: all, usd: costUsd + later, isEstimate: later > 0 };
}

/** The difference between the sum of a process and its calls, as a ledger entry; empty when both agree. */
export function correctionOf(sum: ProcessSum, entries: readonly LedgerEntry[], life: string): LedgerEntry[] {
  const counted = sumEntries(entries);
  const tokens = lessTokens(sum.tokens, counted.tokens);
  const usd = sum.usd - counted.usd;
  if (allTokens(tokens) === 0 && Math.abs(usd) < LEAST_USD) return [];
  return [{ id: randomUUID(), life, kind: "correction", model: null, tokens, usd }];
}

/** Smaller differences are rounding errors of floating point. */
const LEAST_USD = 1e-9;
