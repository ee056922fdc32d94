import { expect, test } from "vitest";
import { doubtfulModel, modelHint } from "./unknown-model.ts";

test.each([
  ["opuss", "Did you mean --model opus?"],
  ["claude-opus-45", expect.stringContaining("--model claude-opus-4-5")],
  ["zzzz", "Choose another: --model opus, --model sonnet, --model haiku, or the exact id at your provider."],
])("for %s the way on is named", (model, hint) => {
  expect(modelHint(model)).toEqual(hint);
});

test("a model with a price is not doubted", () => {
  expect([doubtfulModel("claude-opus-4-5"), doubtfulModel("opuss")]).toEqual([undefined, "Did you mean --model opus?"]);
});
