import { describe, expect, test } from "vitest";
import { clawsFace } from "./claws-face.ts";
import { DEFAULT_FACES } from "./tool-faces.generated.ts";

/**
 * Characters of JSON for one token. The tokenizer o200k gives 4.1 for this list; the smaller number leaves room for
 * other tokenizers.
 */
const CHARS_PER_TOKEN = 3.7;
const MAX_TOKENS = 4000;

describe("the default tools", () => {
  test(`are 12 to 16, and their schemas have at most ${MAX_TOKENS} tokens together`, () => {
    expect(DEFAULT_FACES.length).toBeGreaterThanOrEqual(12);
    expect(DEFAULT_FACES.length).toBeLessThanOrEqual(16);
    expect(Math.ceil(JSON.stringify(DEFAULT_FACES).length / CHARS_PER_TOKEN)).toBeLessThanOrEqual(MAX_TOKENS);
  });

  test("have names that every client takes, and each tool that only reads says so", () => {
    for (const { name, annotations } of DEFAULT_FACES) {
      expect(name).toMatch(/^claws_[a-z_]{1,40}$/);
      expect(annotations.readOnlyHint && annotations.destructiveHint).toBe(false);
    }
    const reading = DEFAULT_FACES.filter(({ annotations }) => annotations.readOnlyHint).map(({ name }) => name);
    expect(reading).toEqual([
      "claws_wait",
      "claws_workers",
      "claws_show",
      "claws_log",
      "claws_diff",
      "claws_approvals",
      "claws_events",
    ]);
  });
});

test("the instructions fit where clients cut them", () => {
  expect(clawsFace("1.0.0").instructions.length).toBeLessThanOrEqual(2000);
});
