import { randomUUID } from "node:crypto";
import type { JsonObject, WorkerJob } from "claw-contract";
import { WRITES_DOWN_CALLS } from "claw-contract";
import type { AgentTotal, CallBook, CallFact, SessionMeter, StreamCalls } from "../../harness/index.ts";
import {
  addTokens,
  createCallBook,
  createSessionMeter,
  createStreamCalls,
  isHeardQuestion,
  NO_TOKENS,
  readAgentTotal,
  tokensIn,
} from "../../harness/index.ts";
import type { CallLedger, LedgerEntry, ProcessSum } from "./call-ledger.ts";
import { callEntry, questionEntry, correctionOf, sumEntries, sumProcess } from "./call-ledger.ts";

/** The usage of a worker in this life. */
export interface Spent {
  /** All input tokens of the worker's models, including cached tokens. */
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costUsd: number;
  /** Whether at least part of the dollars is estimated from tokens. */
  readonly isEstimate: boolean;
  /** Number of calls that were cut off; their usage is unknown. */
  readonly unknownCalls: number;
  /** Models without a known price; their usage counts as free. */
  readonly unpriced: readonly string[];
  /** The agent's main model, once a call has named it. */
  readonly model: string | null;
}

/** Counts the usage of the agent's processes, each call once, from their streams and their own files. */
export interface AgentSpending {
  /** An agent process began. `resume` is the session it continues; null for a new session. */
  processBegan(resume: string | null): void;
  /** Takes objects of the process's stream. */
  hear(natives: readonly JsonObject[]): void;
  /** Names the agent's session; its files show the usage. */
  session(id: string): void;
  /** Reads the agent's files. Returns whether there was new spending since the last call. */
  look(): boolean;
  /** The process has ended; its unanswered questions count as unknown calls. */
  processEnded(): void;
  /** The usage counted up to now. */
  total(): Spent;
}

export interface SpendingOptions {
  readonly job: Pick<WorkerJob, "harness" | "model" | "bootId" | "prices">;
  /** The agent's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly ledger: CallLedger;
}

const NO_SUM: ProcessSum = { tokens: NO_TOKENS, usd: 0, isEstimate: false };

const add = (a: ProcessSum, b: ProcessSum): ProcessSum => ({
  tokens: addTokens(a.tokens, b.tokens),
  usd: a.usd + b.usd,
  isEstimate: a.isEstimate || b.isEstimate,
});

class CountedSpending implements AgentSpending {
  readonly #options: SpendingOptions;
  readonly #book: CallBook = createCallBook();
  readonly #meters = new Map<string, SessionMeter>();
  readonly #unpriced = new Set<string>();
  #stream: StreamCalls;
  /** Sum over the ended processes of this life. */
  #ended = NO_SUM;
  #entries: LedgerEntry[] = [];
  #reported: AgentTotal | null = null;
  #carried: AgentTotal | null = null;
  #unknown = 0;
  #isNew = false;

  constructor(options: SpendingOptions) {
    this.#options = options;
    this.#stream = createStreamCalls(options.job.harness);
    for (const { id } of options.ledger.entries()) this.#book.ignore(id);
  }

  processBegan(resume: string | null): void {
    const { ledger, job } = this.#options;
    this.#stream = createStreamCalls(job.harness);
    this.#carried = null;
    if (resume === null) return;
    this.session(resume);
    this.#isNew = this.look();
    // Calls that an earlier life could not record do not belong to this process's total.
    this.#close();
    const { tokens, usd: costUsd } = sumEntries(ledger.entries());
    this.#carried = WRITES_DOWN_CALLS.has(job.harness) ? this.#book.carried() : { tokens, costUsd };
  }

  hear(natives: readonly JsonObject[]): void {
    for (const native of natives) {
      for (const fact of this.#stream(native)) this.#take(fact);
      const reported = readAgentTotal(native);
      this.#reported = reported ?? this.#reported;
      this.#isNew ||= reported !== null;
    }
  }

  session(id: string): void {
    const { job, env } = this.#options;
    if (!this.#meters.has(id)) this.#meters.set(id, createSessionMeter(job.harness, { id, env }));
  }

  look(): boolean {
    for (const meter of this.#meters.values()) for (const fact of meter.read()) this.#take(fact);
    const isNew = this.#isNew;
    this.#isNew = false;
    return isNew;
  }

  processEnded(): void {
    const isNew = this.look();
    const { ledger, job } = this.#options;
    const unknown = this.#book.close().map((id) => questionEntry("unknown", id, job.bootId));
    const last = [...unknown, ...correctionOf(this.#now(), this.#entries, job.bootId)];
    for (const { id } of last) this.#book.ignore(id);
    ledger.add(last);
    this.#unknown += unknown.length;
    this.#close();
    this.#isNew = isNew || last.length > 0;
  }

  total(): Spent {
    const { tokens, usd, isEstimate } = add(this.#ended, this.#now());
    return {
      tokensIn: tokensIn(tokens),
      tokensOut: tokens.output,
      cacheReadTokens: tokens.cacheRead,
      cacheWriteTokens: tokens.cacheWritten,
      costUsd: usd,
      isEstimate: isEstimate && usd > 0,
      unknownCalls: this.#unknown,
      unpriced: [...this.#unpriced],
      model: this.#book.model(),
    };
  }

  /** Adds the present process to the sum of ended processes. */
  #close(): void {
    this.#ended = add(this.#ended, this.#now());
    [this.#entries, this.#reported] = [[], null];
  }

  #now(): ProcessSum {
    return sumProcess(this.#entries, this.#reported, this.#carried);
  }

  #take(fact: CallFact): void {
    const { ledger, job } = this.#options;
    // After a crash only the ledger and the agent's files can be read. A question seen only in the stream must be in
    // the ledger.
    if (isHeardQuestion(fact)) ledger.add([questionEntry("asked", randomUUID(), job.bootId)]);
    const entries = this.#book.take(fact).map((call) => {
      return callEntry({ ...call, model: call.model ?? job.model }, job.bootId, job.prices ?? {});
    });
    if (entries.length === 0) return;
    ledger.add(entries);
    this.#entries.push(...entries);
    for (const { model, usd } of entries) if (usd === null && model !== null) this.#unpriced.add(model);
    this.#isNew = true;
  }
}

export const createAgentSpending = (options: SpendingOptions): AgentSpending => new CountedSpending(options);
