import { describe, expect, test } from "vitest";
import { contextWindow, costOf, priceOf, PRICES_AS_OF } from "./prices.ts";
import { PRICE_ROWS } from "./prices.generated.ts";

const MILLION = 1_000_000;

describe("the table of prices", () => {
  test("is dated", () => {
    expect(PRICES_AS_OF).toMatch(/^\d{4}-\d{2}-\d{2}$/);
  });

  test("knows every id once, and only prices that can be", () => {
    const names = PRICE_ROWS.flatMap((row) => row.names);
    expect(names.length).toBe(new Set(names).size);
    const rates = PRICE_ROWS.flatMap(({ rates, above = [] }) => [rates, ...above.map((tier) => tier.rates)]);
    expect(rates.flat().filter((rate) => !(rate >= 0 && rate < 1000))).toEqual([]);
    expect(rates.length).toBeGreaterThan(100);
  });
});

describe("a price", () => {
  test("is that of the model", () => {
    expect(priceOf("claude-opus-4-5")).toEqual({ input: 5, output: 25, cacheRead: 0.5, cacheWrite: 6.25 });
    expect(priceOf("gpt-4o")).toEqual({ input: 2.5, output: 10, cacheRead: 1.25, cacheWrite: 2.5 });
  });

  test.each([
    ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5"],
    ["anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"],
    ["openrouter/anthropic/claude-sonnet-4.5", "claude-sonnet-4-5"],
    ["claude-3-5-haiku@20241022", "claude-3-5-haiku"],
    ["gpt-4.1-mini-2025-04-14", "gpt-4.1-mini"],
    ["openai/gpt-5-mini-2099-01-01", "gpt-5-mini"],
    ["claude-opus-5-5[1m]", "claude-opus-5-5"],
    ["claude-sonnet-4-5-20250929[1M]", "claude-sonnet-4-5"],
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4-5"],
    ["bedrock/anthropic.claude-opus-5-5-v1", "claude-opus-5-5"],
    ["vertex_ai/claude-sonnet-5-5@20261001", "claude-sonnet-5-5"],
  ])("of %s is that of %s", (id, same) => {
    expect(priceOf(id)).toEqual(priceOf(same));
    expect(priceOf(id)).toBeDefined();
  });

  test("of a model that is newer than the source is the one its vendor's program counts by", () => {
    expect(priceOf("claude-sonnet-5-5")).toEqual({ input: 2, output: 10, cacheRead: 0.1, cacheWrite: 2.5 });
    expect(costOf("claude-haiku-5-5", { input_tokens: 100_000 })).toBeCloseTo(0.01, 10);
    expect(costOf("claude-haiku-5-5", { input_tokens: 100_001 })).toBeCloseTo(0.0500005, 10);
  });

  test("of a dated id with a row of its own is its own", () => {
    expect(priceOf("gpt-4o-2024-05-13")?.input).toBe(5);
  });

  test.each([
    "claude-opus-99",
    "claude-sonnet-5-9",
    "claude-sonnet-4-5[fast]",
    "gpt-oss-20b",
    "ollama/gpt-4o",
    "scripted",
    "llama3:8b",
    "my-gpt-4o",
    "gpt-4o:free",
    "toString",
    "",
  ])("of %j is not known rather than guessed", (id) => {
    expect([priceOf(id), costOf(id, { input_tokens: 1 }), contextWindow(id)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test("of one's own comes first, and what it does not say of the cache costs as input", () => {
    const overrides = { "my-model": { input: 2, output: 4 }, "claude-opus-4-5": { input: 1, output: 1, cacheRead: 0 } };
    expect(priceOf("my-model", overrides)).toEqual({ input: 2, output: 4, cacheRead: 2, cacheWrite: 2 });
    expect(priceOf("anthropic/claude-opus-4-5-20251101", overrides)?.cacheRead).toBe(0);
    expect(priceOf("toString", overrides)).toBeUndefined();
  });
});

describe("a cost", () => {
  test("counts every kind of token at its own price", () => {
    const usage = {
      input_tokens: MILLION / 10,
      output_tokens: MILLION / 100,
      cache_read_input_tokens: MILLION / 20,
      cache_creation_input_tokens: MILLION / 50,
    };
    expect(costOf("claude-opus-4-5", usage)).toBeCloseTo(0.5 + 0.25 + 0.025 + 0.125, 10);
    expect(costOf("claude-opus-4-5", {})).toBe(0);
  });

  test("of what stays in the cache for an hour is twice that of the input", () => {
    const written = { cache_creation_input_tokens: 100_000 };
    expect(costOf("claude-opus-5-5", written)).toBeCloseTo(0.5, 10);
    expect(costOf("claude-opus-5-5", { ...written, cache_creation_1h_input_tokens: 60_000 })).toBeCloseTo(0.68, 10);
  });

  test("of one's own has tiers too", () => {
    const overrides = { mine: { input: 1, output: 1, above: [{ tokens: 10, input: 3, output: 3 }] } };
    expect(costOf("mine", { input_tokens: 10 }, overrides)).toBeCloseTo(10 / MILLION, 12);
    expect(costOf("mine", { input_tokens: 11 }, overrides)).toBeCloseTo(33 / MILLION, 12);
  });

  test("of a request beyond the usual size is the higher one, as a whole", () => {
    const usage = { input_tokens: 1, cache_read_input_tokens: 199_999, output_tokens: MILLION };
    const more = { ...usage, input_tokens: 2 };
    expect(costOf("claude-sonnet-4-5", usage)).toBeCloseTo((3 + 199_999 * 0.3) / MILLION + 15, 10);
    expect(costOf("claude-sonnet-4-5", more)).toBeCloseTo((12 + 199_999 * 0.6) / MILLION + 22.5, 10);
  });
});

test("the context window is known with the model", () => {
  expect([contextWindow("claude-sonnet-4-5-20250929"), contextWindow("openai/gpt-4o")]).toEqual([200_000, 128_000]);
});
