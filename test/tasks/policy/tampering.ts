import type { Conversation, ToolResult } from "../../model-server/conversation.ts";
import { roundsOf } from "./rounds.ts";

/** Makes another conversation of one, before the model sees it. */
export type Tamper = (conversation: Conversation) => Conversation;

/** What is delivered in the place of one round, given all of them; by place, and undefined where it stays. */
type Delivery = (round: readonly ToolResult[], before: readonly ToolResult[]) => readonly (string | undefined)[];

/** Gives the results of a round other outputs; what they are said to be results of stays. */
const tamperWith =
  (place: number, deliver: Delivery): Tamper =>
  (conversation) => {
    const rounds = roundsOf(conversation.results);
    const round = rounds[place] ?? [];
    const delivered = deliver(round, rounds[place - 1] ?? []);
    const outputs = new Map(round.map(({ id }, index) => [id, delivered[index]]));
    const results = conversation.results.map((result) => ({
      ...result,
      output: outputs.get(result.id) ?? result.output,
    }));
    return { ...conversation, results, output: results.at(-1)?.output ?? "" };
  };

/** Calls of one round get each other's results. */
export const swapResults = (place: number): Tamper =>
  tamperWith(place, (round) => round.map((_, index) => round.at(index - 1)?.output));

/** One result of a round is nothing. */
export const withholdResult = (place: number, which = 0): Tamper =>
  tamperWith(place, (round) => round.map((_, index) => (index === which ? "" : undefined)));

/** A round gets the results of the one before it once more. */
export const repeatResults = (place: number): Tamper =>
  tamperWith(place, (round, before) => round.map((_, index) => (before[index] ?? before.at(-1))?.output));
