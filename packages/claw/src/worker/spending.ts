import type { WorkerJob } from "@claw/contract";
import { costOf } from "@claw/contract";
import type { RunProgress } from "../harness/index.ts";

export interface Spent {
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly costUsd: number;
}

type Used = Pick<RunProgress, "inputTokens" | "outputTokens" | "messageInputTokens" | "costUsd" | "model">;

/** What a worker has used over all the runs of its agent in this life. Never shrinks, whatever the agent says. */
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

export const NOTHING_SPENT: Spent = { tokensIn: 0, tokensOut: 0, costUsd: 0 };

function spentIn({ inputTokens, outputTokens, costUsd, model }: Used, asked: string | null): Spent {
  const tokens = { input_tokens: inputTokens, output_tokens: outputTokens };
  const named = model ?? asked;
  const cost = costUsd ?? (named === null ? undefined : costOf(named, tokens)) ?? 0;
  return { tokensIn: Math.max(0, inputTokens), tokensOut: Math.max(0, outputTokens), costUsd: Math.max(0, cost) };
}

const combine = (a: Spent, b: Spent, how: (x: number, y: number) => number): Spent => ({
  tokensIn: how(a.tokensIn, b.tokensIn),
  tokensOut: how(a.tokensOut, b.tokensOut),
  costUsd: how(a.costUsd, b.costUsd),
});

const sum = (x: number, y: number): number => x + y;
const most = (x: number, y: number): number => Math.max(x, y);

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
  #highest = NOTHING_SPENT;
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
    this.#highest = combine(this.#highest, combine(this.#life, this.#own(progress), sum), most);
    return this.#highest;
  }

  runEnded(progress: Used): void {
    this.#life = this.of(progress);
    this.#before = this.session(progress);
    this.#share = 0;
  }

  total(): Spent {
    return this.#highest;
  }

  session(progress: Used): Spent {
    return combine(this.#before, this.#own(progress), sum);
  }

  #own(progress: Used): Spent {
    const told = spentIn(progress, this.#model);
    const { tokensIn } = this.#before;
    const old = Math.min(Math.max(0, told.tokensIn - progress.messageInputTokens), tokensIn);
    // Totals come after the messages they are about, so the first of them says it best.
    if (tokensIn > 0) this.#share = Math.max(this.#share, old / tokensIn);
    return combine(told, this.#before, (x, y) => Math.max(0, x - y * this.#share));
  }
}

/** `before` is what the agent's session had used when this life began. */
export const createSpending = (job: Pick<WorkerJob, "model">, before: Spent): Spending =>
  new SessionSpending(job, before);
