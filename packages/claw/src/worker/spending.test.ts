import { expect, test } from "vitest";
import type { Spent } from "./spending.ts";
import { createSpending, NOTHING_SPENT } from "./spending.ts";

const JOB = { model: null };
const used = (inputTokens: number, messageInputTokens: number, costUsd: number | null) => ({
  inputTokens,
  outputTokens: 0,
  messageInputTokens,
  costUsd,
  model: null,
});
const spent = (tokensIn: number, costUsd: number): Spent => ({ tokensIn, tokensOut: 0, costUsd, isEstimate: false });

test("what Claude Code tells of a session it goes on with counts once, over lives and over runs", () => {
  // As it told them: three messages; then, after --resume, one more, and the totals of all four.
  const first = createSpending(JOB, NOTHING_SPENT);
  first.runBegan(false);
  expect(first.of(used(3000, 3000, 0.0132))).toEqual(spent(3000, 0.0132));
  const second = createSpending(JOB, first.session(used(3000, 3000, 0.0132)));
  second.runBegan(true);
  expect(second.of(used(1000, 1000, null)).tokensIn).toBe(1000);
  expect(second.of(used(4000, 1000, 0.0176))).toEqual({ ...spent(1000, 0), costUsd: expect.closeTo(0.0044) });
  second.runEnded(used(4000, 1000, 0.0176));
  second.runBegan(true);
  expect(second.of(used(5000, 1000, 0.022))).toEqual({ ...spent(2000, 0), costUsd: expect.closeTo(0.0088) });
});

test("totals that begin anew after a crash are not taken for those of the session", () => {
  const spending = createSpending(JOB, spent(3000, 0.0132));
  spending.runBegan(true);
  expect(spending.of(used(1000, 1000, 0.0044))).toEqual(spent(1000, 0.0044));
});

test("Codex tells totals of the thread alone", () => {
  const spending = createSpending({ model: "gpt-5.5" }, spent(3060, 0.0168));
  spending.runBegan(true);
  expect(spending.of(used(0, 0, null))).toEqual(NOTHING_SPENT);
  expect(spending.of(used(4080, 0, null)).tokensIn).toBe(1020);
  expect(spending.session(used(4080, 0, null)).tokensIn).toBe(4080);
});

test("a session of its own owes nothing to the one before, and nothing ever shrinks", () => {
  const spending = createSpending(JOB, spent(3000, 0.0132));
  spending.runBegan(false);
  expect(spending.of(used(4000, 1000, 0.0176))).toEqual(spent(4000, 0.0176));
  expect(spending.of(used(10, 10, 0))).toEqual(spent(4000, 0.0176));
  expect(spending.session(used(10, 10, 0)).tokensIn).toBe(10);
});

test("what the agent tells replaces an estimate, up or down, and only an estimate", () => {
  const model = "claude-opus-4-5";
  for (const told of [0.0001, 5]) {
    const spending = createSpending({ model }, NOTHING_SPENT);
    spending.runBegan(false);
    const guess = spending.of(used(3000, 3000, null));
    expect(guess).toEqual({ tokensIn: 3000, tokensOut: 0, costUsd: expect.closeTo(0.015), isEstimate: true });
    expect(spending.of(used(3000, 3000, told))).toEqual(spent(3000, told));
    // An estimate that comes later, or a smaller sum, takes nothing back.
    expect(spending.of(used(4000, 4000, null))).toEqual(spent(4000, told));
    spending.runEnded(used(4000, 4000, told));
    expect(spending.total()).toEqual(spent(4000, told));
  }
});

test("a run whose cost was never told stays an estimate beside one that was told", () => {
  const spending = createSpending({ model: "claude-opus-4-5" }, NOTHING_SPENT);
  spending.runBegan(false);
  spending.runEnded(used(1000, 1000, null));
  spending.runBegan(false);
  spending.runEnded(used(1000, 1000, 0.01));
  expect(spending.total()).toEqual({ tokensIn: 2000, tokensOut: 0, costUsd: expect.closeTo(0.015), isEstimate: true });
});
