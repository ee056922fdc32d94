import { expect, test } from "vitest";
import type { Agent } from "../../../agent/index.ts";
import { createChatLedger } from "./ledger.ts";

const spending = (tokens: number, costUsd: number | null): Agent["spending"] =>
  ({
    usage: () => ({
      input_tokens: tokens,
      output_tokens: tokens,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    }),
    costUsd: () => costUsd,
  }) as Agent["spending"];

test("what every agent of a session used is one sum", () => {
  const ledger = createChatLedger();
  ledger.close(spending(10, 0.5));
  ledger.close(spending(1, 0.25));
  expect(ledger.total(spending(100, 1))).toMatchObject({ usage: { input_tokens: 111 }, costUsd: 1.75 });
});

test("the sum is unknown as soon as something was used that has no price, and not before", () => {
  const ledger = createChatLedger();
  ledger.close(spending(10, 0.5));
  expect(ledger.total(spending(0, null)).costUsd).toBe(0.5);
  expect(ledger.total(spending(1, null))).toMatchObject({ usage: { output_tokens: 11 }, costUsd: null });
});
