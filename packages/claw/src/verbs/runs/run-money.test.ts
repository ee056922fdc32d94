import { fileURLToPath } from "node:url";
import type { RunResult } from "claw-contract";
import { expect, test } from "vitest";
import { createRunReader, HARNESSES } from "../../harness/index.ts";
import { withMoney } from "./run-money.ts";

const HOME = fileURLToPath(new URL("../../../../../test/fixtures/harness/sessions/codex", import.meta.url));
const MONEY = { env: { CODEX_HOME: HOME }, prices: {} };

/** What a stream that tells the agent's own thread alone comes to. */
function resultOf(threadId: string): RunResult {
  const reader = createRunReader(HARNESSES["codex"]);
  const usage = { input_tokens: 40_600, cached_input_tokens: 30_300, output_tokens: 410 };
  const lines = [
    { type: "thread.started", thread_id: threadId },
    { type: "turn.completed", usage },
  ];
  reader.push(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join("")));
  return reader.finish({ exitCode: 0, signal: null, stderr: "", ended: "by-itself", durationMs: 1 });
}

test("a run of Codex has the tokens of its sub-agents, and a cost that is marked as an estimate", () => {
  const result = resultOf("01a1eafe-3d9c-7531-9105-81379bcdd7b9");
  expect(withMoney(result, MONEY)).toEqual({
    ...result,
    input_tokens: 50_700,
    output_tokens: 813,
    cache_read_input_tokens: 35_300,
    cache_creation_input_tokens: 0,
    cost_usd: expect.closeTo((15_400 * 5 + 35_300 * 0.5 + 813 * 30) / 1e6, 9),
    cost_estimated: true,
  });
});

test("without its files, or a price, a run stays as its stream tells it", () => {
  const unknown = resultOf("00000000-0000-0000-0000-000000000000");
  expect(withMoney(unknown, MONEY)).toBe(unknown);
  expect(withMoney({ ...unknown, harness: "claude-code" }, MONEY).cost_usd).toBeNull();
});

test("the user's own prices count", () => {
  const result = resultOf("01a1eafe-3d9c-7531-9105-81379bcdd7b9");
  const prices = { "gpt-5.5": { input: 1, output: 0, cacheRead: 0 } };
  expect(withMoney(result, { ...MONEY, prices }).cost_usd).toBeCloseTo(0.0154, 9);
});
