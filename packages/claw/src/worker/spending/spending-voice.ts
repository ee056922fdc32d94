import type { JsonObject } from "claw-contract";
import { openCallLedger } from "./call-ledger.ts";
import type { LifeParts } from "../worker-life.ts";
import { tell } from "../worker-life.ts";
import type { AgentSpending, Spent } from "./spending.ts";
import { createAgentSpending } from "./spending.ts";

/** Shortest time between two reports of spending, besides heartbeats. */
const WORKER_SPENT_MS = 100;
/** How often a worker reads the agent's log of model calls. */
const CALL_LOOK_MS = 250;

/** Counts the spending of a worker's agent, and reports it to the bus at once. */
export interface SpendingVoice extends Pick<AgentSpending, "processBegan" | "total"> {
  hear(natives: readonly JsonObject[]): void;
  /** The agent named its model. */
  model(name: string): void;
  processEnded(): void;
  /** Stops reading the agent's files. */
  close(): void;
}

/** The heartbeat fields about spending. */
const fieldsOf = (spent: Spent) => ({
  tokens_used: spent.tokensIn + spent.tokensOut,
  tokens_in: spent.tokensIn,
  tokens_out: spent.tokensOut,
  cache_read_tokens: spent.cacheReadTokens,
  cache_write_tokens: spent.cacheWriteTokens,
  cost_usd: spent.costUsd,
  cost_estimated: spent.isEstimate,
  ...(spent.unknownCalls === 0 ? {} : { unknown_calls: spent.unknownCalls }),
  ...(spent.unpriced.length === 0 ? {} : { unpriced_models: [...spent.unpriced] }),
});

class LoudSpending implements SpendingVoice {
  readonly #life: LifeParts;
  readonly #spending: AgentSpending;
  readonly #timer: NodeJS.Timeout;
  #model: string | null = null;
  #saidAt = -Infinity;
  /** Whether there is spending that the bus has not been told of. */
  #isUnsaid = false;

  constructor(life: LifeParts) {
    const { job, env, log } = life;
    const { folder } = job;
    this.#life = life;
    this.#spending = createAgentSpending({ job, env, ledger: openCallLedger(folder, log) });
    this.#timer = setInterval(() => this.#look(), CALL_LOOK_MS).unref();
  }

  processBegan(resume: string | null): void {
    this.#spending.processBegan(resume);
    this.#look();
  }

  hear(natives: readonly JsonObject[]): void {
    this.#spending.hear(natives);
    this.#look();
  }

  model(name: string): void {
    if (name === this.#model) return;
    this.#model = name;
    this.#isUnsaid = true;
    this.#life.worker.report({ model: name });
    this.#say();
  }

  processEnded(): void {
    this.#follow();
    this.#spending.processEnded();
    // No more spending follows, so the last heartbeat is not delayed.
    this.#saidAt = -Infinity;
    this.#isUnsaid ||= this.#spending.look();
    this.#report();
    this.#say();
  }

  total(): Spent {
    return this.#spending.total();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  /** Reads usage from the files of the agent's present session too. */
  #follow(): void {
    const { sessionId } = this.#life.state.read();
    if (sessionId !== null) this.#spending.session(sessionId);
  }

  #look(): void {
    this.#follow();
    if (this.#spending.look()) {
      this.#isUnsaid = true;
      this.#report();
    }
    this.#say();
  }

  #report(): void {
    const spent = this.total();
    // An agent in a terminal names its model only in its files.
    if (this.#model === null && spent.model !== null) this.#model = spent.model;
    this.#life.worker.report({ ...fieldsOf(spent), ...(this.#model === null ? {} : { model: this.#model }) });
  }

  #say(): void {
    const { worker, now } = this.#life;
    if (!this.#isUnsaid || now() - this.#saidAt < WORKER_SPENT_MS || worker.status() !== "open") return;
    this.#isUnsaid = false;
    this.#saidAt = now();
    tell(this.#life, "heartbeat", worker.beat());
  }
}

export const createSpendingVoice = (life: LifeParts): SpendingVoice => new LoudSpending(life);
