import { join } from "node:path";
import type { JsonObject, PriceOverrides } from "@claw/contract";
import { fieldsOf, LIMITS, WORKER_FILES } from "@claw/contract";
import { appendToOwn, readSmallFile } from "../../files/index.ts";
import type { CallTokens, CountedCall } from "../../harness/index.ts";
import { callCost, NO_TOKENS } from "../../harness/index.ts";

/**
 * A line of the ledger: a question to the model, a call that answers one, a question without an answer, or what an agent's
 * total differs by from its calls.
 */
export interface LedgerEntry {
  readonly id: string;
  /** The life of the worker that counted it. */
  readonly life: string;
  readonly kind: "asked" | "call" | "unknown" | "correction";
  readonly model: string | null;
  readonly tokens: CallTokens;
  /** Null when the price of the model is not known. */
  readonly usd: number | null;
}

/** What a worker's agent used, call by call, in a file that outlives the worker's process. */
export interface CallLedger {
  /** Everything that stands there, in order. */
  entries(): readonly LedgerEntry[];
  /** Writes entries down. They are in the file when this returns; a kill of the process does not lose them. */
  add(entries: readonly LedgerEntry[]): void;
}

function readEntry(line: string): LedgerEntry[] {
  try {
    const { id, life, kind, model, tokens, usd } = fieldsOf(JSON.parse(line)) as JsonObject & Partial<LedgerEntry>;
    if (typeof id !== "string" || typeof life !== "string" || kind === undefined) return [];
    return [{ id, life, kind, model: model ?? null, tokens: { ...NO_TOKENS, ...tokens }, usd: usd ?? null }];
  } catch {
    // The last line of a life that was killed may be torn.
    return [];
  }
}

function readEntries(path: string): LedgerEntry[] {
  const file = readSmallFile(path, LIMITS.callLedgerBytes);
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
        // A line that a killed process left torn stays alone.
        appendToOwn(path, `\n${more.map((entry) => JSON.stringify(entry)).join("\n")}\n`);
      } catch (error) {
        report(`${path} could not be written: ${String(error)}`);
      }
    },
  };
}

/** The entry of a call that counts from now on. */
export const callEntry = ({ id, model, tokens }: CountedCall, life: string, prices: PriceOverrides): LedgerEntry => ({
  id,
  life,
  kind: "call",
  model,
  tokens,
  usd: model === null ? null : (callCost(model, tokens, prices) ?? null),
});

/** The entry of a question to the model, or of one that got no answer. */
export const questionEntry = (kind: "asked" | "unknown", id: string, life: string): LedgerEntry => ({
  id,
  life,
  kind,
  model: null,
  tokens: NO_TOKENS,
  usd: null,
});
