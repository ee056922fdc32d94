import { describe, expect, test } from "vitest";
import type { Conversation } from "../model-server/conversation.ts";
import { attemptOf, turnsFor } from "../model-server/conversation.ts";
import { chooseSeed, createRandom } from "../reliability/random.ts";
import { DONE, GIVEN_UP } from "../tasks/policy/policy.ts";
import { roundsOf } from "../tasks/policy/rounds.ts";
import type { Tamper } from "../tasks/policy/tampering.ts";
import { repeatResults, swapResults, withholdResult } from "../tasks/policy/tampering.ts";
import type { Task } from "../tasks/task.ts";
import { TASKS } from "../tasks/tasks.ts";
import { part } from "./effort.ts";
import { filesWritten, loadSession, openTask, scenarioOf } from "./task-scene.ts";

const SEED = chooseSeed();
/** Rounds of tools that every task takes; wrong results come in one of them. */
const FEWEST_ROUNDS = 4;
const CASES = TASKS.map((task, index) => [task.name, task, SEED + index] as const);

/** What the model answers to a conversation. */
const answerTo = (task: Task, conversation: Conversation): string =>
  JSON.stringify(attemptOf(turnsFor(scenarioOf(task), conversation.prompts).turns, conversation, 0));

/** Every way to get the newest results of a conversation wrong, by name. */
function tamperings({ results }: Conversation): readonly (readonly [name: string, tamper: Tamper])[] {
  const rounds = roundsOf(results);
  const newest = rounds.length - 1;
  const round = rounds[newest] ?? [];
  return [
    ...round.map(({ id }, index) => [`${id} withheld`, withholdResult(newest, index)] as const),
    ...(round.length > 1 ? [[`round ${newest} swapped`, swapResults(newest)] as const] : []),
    ...(newest > 0 ? [[`round ${newest} repeated`, repeatResults(newest)] as const] : []),
  ];
}

/** Results that could have been any other, as far as the model's next step goes. */
const ignoredIn = (task: Task, conversations: readonly Conversation[]): string[] =>
  conversations.flatMap((conversation) =>
    tamperings(conversation)
      .filter(([, tamper]) => answerTo(task, tamper(conversation)) === answerTo(task, conversation))
      .map(([name]) => name),
  );

describe(`tasks of CLAW_SEED=${SEED}`, () => {
  test.each(part(CASES, 2, SEED))("the agent gets done: %s", async (_name, task, seed) => {
    const scene = await openTask(task, seed);
    expect(scene.passes()).toBe(false);
    const outcome = await scene.run();
    expect(outcome.message).toBe(`${DONE}the test passes.`);
    expect(scene.passes()).toBe(true);
    expect(outcome).toMatchObject({
      exitCode: 0,
      stopReasons: task.manner === "interrupted" ? ["max_turns_reached", "completed"] : ["completed"],
    });
    expect([...new Set(outcome.calls.map(({ name }) => name))]).toEqual(task.tools);
    expect(scene.changed()).not.toEqual([]);
    expect(scene.changed()).toEqual(filesWritten(outcome, scene));
    const conversations = scene.conversations();
    const rounds = roundsOf(conversations.at(-1)?.results ?? []);
    expect(rounds.length).toBeGreaterThanOrEqual(FEWEST_ROUNDS);
    const prompts = outcome.stopReasons.length;
    expect(await loadSession(scene, outcome)).toMatchObject({
      messages_count: prompts + 2 * rounds.length + 1,
      uncommitted_count: 0,
    });
    expect(rounds.flatMap(({ length }, place) => (length > 1 ? [place] : []))).toEqual(task.parallelRounds ?? []);
    expect(ignoredIn(task, conversations)).toEqual([]);
  });

  test.each(part(CASES, 3, SEED))("wrong results are not taken for right ones: %s", async (_name, task, seed) => {
    const random = createRandom(seed);
    const tampers = [
      random.pick([withholdResult(random.below(FEWEST_ROUNDS)), repeatResults(1 + random.below(FEWEST_ROUNDS - 1))]),
      ...(task.parallelRounds ?? []).map(swapResults),
    ];
    const ends = tampers.map(async (tamper) => {
      const scene = await openTask(task, seed, tamper);
      return (await scene.run()).message;
    });
    expect(await Promise.all(ends)).toEqual(tampers.map(() => expect.stringContaining(GIVEN_UP) as string));
  });
});
