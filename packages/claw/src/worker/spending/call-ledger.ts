import { join } from "node:path";
import type { JsonObject, PriceOverrides } from "claw-contract";
import { objectOf, WORKER_FILES } from "claw-contract";
import { appendToOwn, readSmallFile } from "../../files/index.ts";
import type { CallTokens, CountedCall } from "../../harness/index.ts";
import { callCost, NO_TOKENS } from "../../harness/index.ts";

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

function readEntry(line: string): LedgerEntry[] {
  try {
    const { id, life, kind, model, tokens, usd } = objectOf(JSON.parse(line)) as JsonObject & Partial<LedgerEntry>;
    if (typeof id !== "string" || typeof life !== "string" || kind === undefined) return [];
    return [{ id, life, kind, model: model ?? null, tokens: { ...NO_TOKENS, ...tokens }, usd: usd ?? null }];
  } catch {
    // The last line of a killed life may be incomplete.
    return [];
  }
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
