import { join } from "node:path";
import { randomUUID } from "node:crypto";
import type { JsonObject, PriceOverrides } from "claw-contract";
import { WORKER_FILES, parseObject } from "claw-contract";
import { appendToOwn, readSmallFile } from "../../files/index.ts";
import type { CallTokens, CountedCall, AgentTotal } from "../../harness/index.ts";
import { callCost, NO_TOKENS, addTokens, allTokens, largerTokens, lessTokens } from "../../harness/index.ts";

/** Bytes read from the call logs of a worker's earlier lives. */
const CALL_LEDGER_BYTES = 64 * 1024 * 1024;

/**
 * A line of the ledger: a question to the model, an answered call, a question without an answer, or the difference
 * between an agent's total and its calls.
 */
export interface LedgerEntry {
  readonly id: string;
  /** The life of the worker that counted the call. */
  readonly life: string;
  readonly kind: "asked" | "call" | "unknown" | "correction";
  readonly model: string | null;
  readonly tokens: CallTokens;
  /** Null when the model's price is unknown. */
  readonly usd: number | null;
}

/** The usage of a worker's agent, call by call, in a file that outlives the worker's process. */
export interface CallLedger {
  /** All entries of the file, in order. */
  entries(): readonly LedgerEntry[];
  /** Appends entries. When this returns, the entries are in the file and survive a kill of the process. */
  add(entries: readonly LedgerEntry[]): void;
}

/** The entry in a line; none in an incomplete line, which a killed life may leave at the end. */
function readEntry(line: string): LedgerEntry[] {
  const { id, life, kind, model, tokens, usd } = (parseObject(line) ?? {}) as JsonObject & Partial<LedgerEntry>;
  if (typeof id !== "string" || typeof life !== "string" || kind === undefined) return [];
  return [{ id, life, kind, model: model ?? null, tokens: { ...NO_TOKENS, ...tokens }, usd: usd ?? null }];
}

function readEntries(path: string): LedgerEntry[] {
  const file = readSmallFile(path, CALL_LEDGER_BYTES);
  return file.kind === "text" ? file.text.split("\n").flatMap(readEntry) : [];
}

export function openCallLedger(folder: string, report: (problem: string) => void): CallLedger {
  const path = join(folder, WORKER_FILES.calls);
  const entries = readEntries(path);
  return {
    entries: () => entries,
    add: (more) => {
      if (more.length === 0) return;
      entries.push(...more);
      try {
        // The leading line end separates the new entries from an incomplete line of a killed process.
        appendToOwn(path, `\n${more.map((entry) => JSON.stringify(entry)).join("\n")}\n`);
      } catch (error) {
        report(`${path} could not be written: ${String(error)}`);
      }
    },
  };
}

/** The ledger entry for a newly counted call. */
export const callEntry = ({ id, model, tokens }: CountedCall, life: string, prices: PriceOverrides): LedgerEntry => ({
  id,
  life,
  kind: "call",
  model,
  tokens,
  usd: model === null ? null : (callCost(model, tokens, prices) ?? null),
});

/** The ledger entry for a question to the model, or for a question without an answer. */
export const questionEntry = (kind: "asked" | "unknown", id: string, life: string): LedgerEntry => ({
  id,
  life,
  kind,
  model: null,
  tokens: NO_TOKENS,
  usd: null,
});

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
function ownTotal(reported: AgentTotal, counted: CallTokens, carried: AgentTotal | null): AgentTotal {
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
