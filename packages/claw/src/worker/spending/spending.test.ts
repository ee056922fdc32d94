import { appendFileSync, cpSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { HarnessId, JsonObject } from "claw-contract";
import { WORKER_FILES } from "claw-contract";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { jsonLines } from "../../process/testing/json-lines.ts";
import { openCallLedger } from "./call-ledger.ts";
import type { AgentSpending } from "./spending.ts";
import { createAgentSpending } from "./spending.ts";

const FIXTURES = fileURLToPath(new URL("../../../../../test/fixtures/harness/sessions", import.meta.url));
const CLAUDE = "7878ef0b-49c0-4a56-b653-95d6928e48ab";
const CODEX = "01a1eafe-3d9c-7531-9105-81379bcdd7b9";

const scene = (): string => {
  const folder = temporaryFolder(onTestFinished);
  cpSync(FIXTURES, folder, { recursive: true });
  return folder;
};

const life = (folder: string, harness: HarnessId, bootId: string, model: string | null = null): AgentSpending =>
  createAgentSpending({
    job: { harness, model, bootId },
    env: { CLAUDE_CONFIG_DIR: join(folder, "claude"), CODEX_HOME: join(folder, "codex") },
    ledger: openCallLedger(folder, () => undefined),
  });

const linesOf = (name: string): JsonObject[] => jsonLines<JsonObject>(readFileSync(join(FIXTURES, name), "utf8"));

test("a process of Claude Code counts to the token, with its sub-agent, and by its own cost in the end", () => {
  const spending = life(scene(), "claude-code", "l1");
  spending.processBegan(null);
  const lines = linesOf("claude/partial.ndjson");
  spending.hear(lines.filter(({ type }) => type !== "result"));
  expect(spending.total()).toMatchObject({ tokensIn: 36 + 18_100 + 9110, tokensOut: 306, isEstimate: true });
  spending.session(CLAUDE);
  expect(spending.look()).toBe(true);
  const all = { tokensIn: 79 + 23_100 + 14_160, tokensOut: 709, cacheReadTokens: 23_100, cacheWriteTokens: 14_160 };
  // The price table and Claude Code itself agree.
  expect(spending.total()).toMatchObject({ ...all, costUsd: expect.closeTo(0.089916, 9), isEstimate: true });
  spending.hear(lines);
  expect(spending.total()).toMatchObject({ ...all, costUsd: expect.closeTo(0.089916, 9), isEstimate: false });
  spending.processEnded();
  expect(spending.total()).toMatchObject({ ...all, unknownCalls: 0, model: "claude-opus-5-5", unpriced: [] });
});

test("Codex pays its own price for what comes from the cache, and its tier by the call", () => {
  const spending = life(scene(), "codex", "l1");
  spending.processBegan(null);
  spending.session(CODEX);
  spending.look();
  const [fresh, cached, output] = [10_400 + 5000, 30_300 + 5000, 410 + 403];
  expect(spending.total()).toMatchObject({
    tokensIn: 40_600 + 10_100,
    tokensOut: output,
    costUsd: expect.closeTo((fresh * 5 + cached * 0.5 + output * 30) / 1e6, 9),
    isEstimate: true,
  });
});

test("the next life counts nothing twice, and finds what the one before could not write down", () => {
  const folder = scene();
  const first = life(folder, "claude-code", "l1");
  first.session(CLAUDE);
  first.look();
  expect(first.total().tokensOut).toBe(709);
  const transcript = join(folder, `claude/projects/-home-me-project/${CLAUDE}.jsonl`);
  const usage = { input_tokens: 7, output_tokens: 3 };
  appendFileSync(
    transcript,
    `${JSON.stringify({ type: "assistant", message: { id: "msg_9", model: "claude-opus-5-5", usage } })}\n`,
  );
  // A line that a killed process left torn is no reason to forget the others.
  appendFileSync(join(folder, WORKER_FILES.calls), '{"id":"half');
  const second = life(folder, "claude-code", "l2");
  second.processBegan(CLAUDE);
  expect(second.total()).toMatchObject({ tokensIn: 7, tokensOut: 3 });
  expect(life(folder, "claude-code", "l3").total().tokensIn).toBe(0);
});

test("a model without a price is named, and its tokens count", () => {
  const folder = scene();
  const spending = life(folder, "claw", "l1");
  const usage = { input_tokens: 5, output_tokens: 1 };
  spending.hear([{ type: "assistant", message: { id: "m1", model: "my-model", usage } }]);
  expect(spending.total()).toMatchObject({ tokensIn: 5, costUsd: 0, isEstimate: false, unpriced: ["my-model"] });
});

test("what an agent without files tells of a session that it goes on with counts once", () => {
  const folder = scene();
  const message = (id: string) => ({ type: "assistant", message: { id, usage: { input_tokens: 1000 } } });
  const result = (inputTokens: number, cost: number) => ({
    type: "result",
    total_cost_usd: cost,
    modelUsage: { m: { inputTokens } },
  });
  const first = life(folder, "fake", "l1");
  first.processBegan(null);
  first.hear([message("a"), message("b"), message("c"), result(3000, 0.0132)]);
  expect(first.total()).toMatchObject({ tokensIn: 3000, costUsd: 0.0132 });
  first.processEnded();
  const second = life(folder, "fake", "l2");
  second.processBegan("s");
  second.hear([message("d"), result(4000, 0.0176)]);
  expect(second.total()).toMatchObject({ tokensIn: 1000, costUsd: expect.closeTo(0.0044) });
  second.processEnded();
  second.processBegan("s");
  second.hear([message("e"), result(1000, 0.0044)]);
  expect(second.total()).toMatchObject({ tokensIn: 2000, costUsd: expect.closeTo(0.0088) });
});

test("a question that was cut off is an unknown call", () => {
  const spending = life(scene(), "claude-code", "l1");
  spending.processBegan(null);
  spending.hear([{ type: "system", subtype: "status", status: "requesting" }]);
  spending.processEnded();
  expect(spending.total()).toMatchObject({ tokensIn: 0, unknownCalls: 1 });
});

test("a question that was heard and written down is one unknown call, also for a life that reads the files again", () => {
  const folder = scene();
  const transcript = join(folder, `claude/projects/-home-me-project/${CLAUDE}.jsonl`);
  appendFileSync(transcript, `${JSON.stringify({ type: "api-request", id: "r9" })}\n`);
  const first = life(folder, "claude-code", "l1");
  first.processBegan(null);
  first.session(CLAUDE);
  first.hear([{ type: "system", subtype: "status", status: "requesting" }]);
  first.processEnded();
  expect(first.total().unknownCalls).toBe(1);
  const second = life(folder, "claude-code", "l2");
  second.session(CLAUDE);
  second.processEnded();
  expect(second.total().unknownCalls).toBe(0);
});
