import { randomUUID } from "node:crypto";
import type { JsonObject, WorkerJob } from "@claw/contract";
import { WRITES_DOWN_CALLS } from "@claw/contract";
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
import type { CallLedger, LedgerEntry } from "./call-ledger.ts";
import { callEntry, questionEntry } from "./call-ledger.ts";
import type { ProcessSum } from "./process-spending.ts";
import { correctionOf, sumEntries, sumProcess } from "./process-spending.ts";

/** What a worker has used in this life. */
export interface Spent {
  /** Everything its models took in, from the cache too. */
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  readonly costUsd: number;
  /** Whether the dollars are estimated from the tokens, in part at least. */
  readonly isEstimate: boolean;
  /** Calls that were cut off: nobody knows what they used. */
  readonly unknownCalls: number;
  /** Models whose price is not known; what they used costs nothing here. */
  readonly unpriced: readonly string[];
  /** The model of the agent itself, once a call named it. */
  readonly model: string | null;
}

/** Counts what the processes of a worker's agent use, each call once, from their streams and their own files. */
export interface Spending {
  /** A process of the agent began, with the session that it goes on with; null for a new one. */
  processBegan(resume: string | null): void;
  /** Takes in objects of its stream. */
  hear(natives: readonly JsonObject[]): void;
  /** The agent is in this session: its files tell what it uses. */
  session(id: string): void;
  /** Looks what the agent has written down meanwhile. Returns whether anything was spent since the last time. */
  look(): boolean;
  /** The process has ended; what it asked for and did not get is counted as unknown. */
  processEnded(): void;
  /** What is known so far. */
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

class CountedSpending implements Spending {
  readonly #options: SpendingOptions;
  readonly #book: CallBook = createCallBook();
  readonly #meters = new Map<string, SessionMeter>();
  readonly #unpriced = new Set<string>();
  #stream: StreamCalls;
  /** Of the processes of this life that have ended. */
  #ended = NO_SUM;
  #entries: LedgerEntry[] = [];
  #told: AgentTotal | null = null;
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
    // What an earlier life could not write down belongs to none of this process's totals.
    this.#close();
    const { tokens, usd: costUsd } = sumEntries(ledger.entries());
    this.#carried = WRITES_DOWN_CALLS.has(job.harness) ? this.#book.carried() : { tokens, costUsd };
  }

  hear(natives: readonly JsonObject[]): void {
    for (const native of natives) {
      for (const fact of this.#stream(native)) this.#take(fact);
      const told = readAgentTotal(native);
      this.#told = told ?? this.#told;
      this.#isNew ||= told !== null;
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

  /** Puts the present process to those that have ended. */
  #close(): void {
    this.#ended = add(this.#ended, this.#now());
    [this.#entries, this.#told] = [[], null];
  }

  #now(): ProcessSum {
    return sumProcess(this.#entries, this.#told, this.#carried);
  }

  #take(fact: CallFact): void {
    const { ledger, job } = this.#options;
    // A file of the agent is there for whoever settles this life; of its stream only this is.
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

export const createSpending = (options: SpendingOptions): Spending => new CountedSpending(options);
