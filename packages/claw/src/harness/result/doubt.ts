import type { ErrorCategory } from "claw-contract";
import { saysWaiting } from "./classify.ts";
import type { RunFacts } from "../stream/run-facts.ts";

/** Why a run that reported no failure is doubtful all the same. */
export interface Doubt {
  readonly category: ErrorCategory;
  readonly warning: string;
}

/** Whether a run of one turn ended with a question. A run has no person who could answer. */
function hasAsked({ turnEnd, turnEnds, finalMessage }: RunFacts): boolean {
  const { stopReason, endsWithQuestion, asks } = finalMessage.final();
  const isSingleTurn = turnEnds === 1 && turnEnd?.numTurns === 1;
  return isSingleTurn && (turnEnd.stopReason ?? stopReason) === "end_turn" && (endsWithQuestion || asks);
}

/**
 * Whether the run left background work without waiting for its end. When the agent reports tasks, the tasks decide.
 * Otherwise the launches, the number of turns and the agent's text decide.
 */
function hasLeftWork({ tasks, launches, turnEnd, output, saysWaiting: said }: RunFacts): boolean {
  if (tasks.hasAny()) return tasks.leftBehind() > 0;
  if (launches === 0) return false;
  const numTurns = turnEnd?.numTurns ?? null;
  return said || (numTurns !== null && numTurns < launches + 2) || saysWaiting(output.text());
}

/** Judges the end of a run that reports success. Returns at most one doubt; a question comes first. */
export function doubtOf(facts: RunFacts, mayHaveTasks: boolean): Doubt | undefined {
  if (facts.turnEnd === null) return undefined;
  if (hasAsked(facts)) {
    return {
      category: "interactive",
      warning:
        "interactive-hang: the agent seems to have asked for input; put all it needs into the prompt (heuristic)",
    };
  }
  if (mayHaveTasks && hasLeftWork(facts)) {
    return {
      category: "background-task",
      warning: "background-task: work in the background was not waited for; the output may be incomplete (heuristic)",
    };
  }
  return undefined;
}
