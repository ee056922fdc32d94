import type { JsonObject } from "claw-contract";
import type { Conversation, ToolResult } from "../../model-server/conversation.ts";
import type { Answer } from "../../model-server/model-scenario.ts";
import { say, useAll } from "../../model-server/model-scenario.ts";
import { roundsOf } from "./rounds.ts";

/** A tool to be called. */
export interface Call {
  readonly name: string;
  readonly input: JsonObject;
}

/** Work in rounds: calls are handed out together, and what each of them gave comes back in their order. */
export type Steps<T = string> = Generator<readonly Call[], T, readonly ToolResult[]>;

/** How a model works on a task: from what it was asked and what tools gave, and from nothing else. It ends with what it says. */
export type Policy = (prompt: string) => Steps;

export const DONE = "Done: ";
export const GIVEN_UP = "I could not do it: ";

/** What a tool gave makes no sense, or not the sense that was hoped for. */
export class Puzzled extends Error {}

/** What a policy says to a conversation. It is played from its beginning each time, so nothing is kept but what was sent. */
export const react =
  (policy: Policy) =>
  ({ prompts, results }: Conversation): Answer => {
    const steps = policy(prompts.join("\n"));
    try {
      let step = steps.next();
      for (const round of roundsOf(results)) {
        if (step.done !== true) step = steps.next(round);
      }
      if (step.done === true) return say(step.value);
      return useAll(...step.value.map(({ name, input }) => [name, input] as const));
    } catch (error) {
      if (!(error instanceof Puzzled)) throw error;
      return say(GIVEN_UP + error.message);
    }
  };
