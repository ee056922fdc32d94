import type { WorkerJob } from "@claw/contract";
import { costOf } from "@claw/contract";
import type { RunProgress } from "../harness/index.ts";

export interface Spent {
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly costUsd: number;
  /** Whether the dollars are estimated from the tokens, in part at least. */
  readonly isEstimate: boolean;
}

type Used = Pick<RunProgress, "inputTokens" | "outputTokens" | "messageInputTokens" | "costUsd" | "model">;

/**
 * What a worker has used over all the runs of its agent in this life. Tokens, and dollars that the agent told, never
 * shrink. Dollars that are estimated from tokens are replaced by those the agent tells, up or down.
 */
export interface Spending {
  runBegan(resumed: boolean): void;
  /** With what the present run has used so far. */
  of(progress: Used): Spent;
  runEnded(progress: Used): void;
  /** What is known so far, of all runs. */
  total(): Spent;
  /** What the agent's session has used in all lives, with the present run. */
  session(progress: Used): Spent;
}

export const NOTHING_SPENT: Spent = { tokensIn: 0, tokensOut: 0, costUsd: 0, isEstimate: false };

function spentIn({ inputTokens, outputTokens, costUsd, model }: Used, asked: string | null): Spent {
  const tokens = { input_tokens: inputTokens, output_tokens: outputTokens };
  const named = model ?? asked;
  const guess = named === null ? undefined : costOf(named, tokens);
  return {
    tokensIn: Math.max(0, inputTokens),
    tokensOut: Math.max(0, outputTokens),
    costUsd: Math.max(0, costUsd ?? guess ?? 0),
    isEstimate: costUsd === null,
  };
}

const sum = (a: Spent, b: Spent): Spent => ({
  tokensIn: a.tokensIn + b.tokensIn,
  tokensOut: a.tokensOut + b.tokensOut,
  costUsd: a.costUsd + b.costUsd,
  // Nothing is nothing, whoever says so.
  isEstimate: (a.isEstimate && a.costUsd > 0) || (b.isEstimate && b.costUsd > 0),
});

/** What a run has used after it told something more: an estimate gives way to what the agent tells, and only to that. */
function further(last: Spent | null, next: Spent): Spent {
  if (last === null) return next;
  const isReplaced = last.isEstimate === next.isEstimate ? next.costUsd > last.costUsd : last.isEstimate;
  const { costUsd, isEstimate } = isReplaced ? next : last;
  return {
    tokensIn: Math.max(last.tokensIn, next.tokensIn),
    tokensOut: Math.max(last.tokensOut, next.tokensOut),
    costUsd,
    isEstimate,
  };
}

/**
 * Agents that go on with a session may tell what all of it has used: Codex always does, Claude Code when it could tidy up
 * before. What the messages of this run do not account for was used before it, up to what is known of that.
 */
class SessionSpending implements Spending {
  readonly #model: string | null;
  /** Of the session before the present run. */
  #before: Spent;
  /** Of this life before the present run. */
  #life = NOTHING_SPENT;
  /** Of the present run; null before it told anything. */
  #run: Spent | null = null;
  /** How much of what was used before the present run tells again, from 0 to 1. */
  #share = 0;

  constructor({ model }: Pick<WorkerJob, "model">, before: Spent) {
    this.#model = model;
    this.#before = before;
  }

  runBegan(resumed: boolean): void {
    this.#share = 0;
    if (!resumed) this.#before = NOTHING_SPENT;
  }

  of(progress: Used): Spent {
    this.#run = further(this.#run, this.#own(progress));
    return this.total();
  }

  runEnded(progress: Used): void {
    const before = this.session(progress);
    this.#life = this.of(progress);
    this.#run = null;
    this.#before = before;
    this.#share = 0;
  }

  total(): Spent {
    return sum(this.#life, this.#run ?? NOTHING_SPENT);
  }

  session(progress: Used): Spent {
    return sum(this.#before, this.#own(progress));
  }

  #own(progress: Used): Spent {
    const told = spentIn(progress, this.#model);
    const { tokensIn } = this.#before;
    const old = Math.min(Math.max(0, told.tokensIn - progress.messageInputTokens), tokensIn);
    // Totals come after the messages they are about, so the first of them says it best.
    if (tokensIn > 0) this.#share = Math.max(this.#share, old / tokensIn);
    const less = (all: number, before: number): number => Math.max(0, all - before * this.#share);
    return {
      tokensIn: less(told.tokensIn, this.#before.tokensIn),
      tokensOut: less(told.tokensOut, this.#before.tokensOut),
      costUsd: less(told.costUsd, this.#before.costUsd),
      isEstimate: told.isEstimate,
    };
  }
}

/** `before` is what the agent's session had used when this life began. */
export const createSpending = (job: Pick<WorkerJob, "model">, before: Spent): Spending =>
  new SessionSpending(job, before);
