import type { WorkerJob } from "@claw/contract";
import { costOf } from "@claw/contract";
import type { RunProgress } from "../harness/index.ts";

export interface Spent {
  readonly tokensIn: number;
  readonly tokensOut: number;
  readonly costUsd: number;
}

type Used = Pick<RunProgress, "inputTokens" | "outputTokens" | "costUsd" | "model">;

/** What a worker has used over all the runs of its agent. Never shrinks, whatever the agent says. */
export interface Spending {
  /** With what the present run has used so far. */
  of(progress: Used): Spent;
  runEnded(progress: Used): void;
}

const NOTHING: Spent = { tokensIn: 0, tokensOut: 0, costUsd: 0 };

/** Codex counts a thread that is resumed as one; the others count each process by itself. */
const countsThreads = ({ harness }: Pick<WorkerJob, "harness">): boolean => harness === "codex";

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

export function createSpending(job: Pick<WorkerJob, "harness" | "model">): Spending {
  let before = NOTHING;
  let highest = NOTHING;
  const of = (progress: Used): Spent => {
    const now = combine(before, spentIn(progress, job.model), countsThreads(job) ? most : sum);
    highest = combine(highest, now, most);
    return highest;
  };
  return {
    of,
    runEnded: (progress) => {
      before = of(progress);
    },
  };
}
