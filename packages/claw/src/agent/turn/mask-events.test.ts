import { createRedactor } from "claw-contract";
import { expect, test } from "vitest";
import type { ModelEvent } from "../providers/provider.ts";
import { maskEvents } from "./mask-events.ts";

const redactor = createRedactor({ secrets: ["hush-hush-secret"] });
const text = (said: string): ModelEvent => ({ kind: "text", text: said });
const input = (id: string, said: string): ModelEvent => ({ kind: "tool-input", id, text: said });
const retry: ModelEvent = { kind: "retry", attempt: 1, maxAttempts: 2, delayMs: 1, status: null, reason: "broken" };

function heard(...events: ModelEvent[]): ModelEvent[] {
  const passed: ModelEvent[] = [];
  const masked = maskEvents((event) => void passed.push(event), redactor);
  for (const event of events) masked.emit(event);
  masked.end();
  return passed;
}

test("a secret that comes in pieces is masked, and each kind of piece stays apart", () => {
  const call: ModelEvent = { kind: "tool-call", id: "1", name: "bash" };
  expect(
    heard(text("it is hush-"), text("hush-secret"), call, input("1", '{"a":"hush-hush-'), input("1", 'secret"}')),
  ).toEqual([text("it is "), text("[REDACTED]"), call, input("1", '{"a":"[REDACTED]"}')]);
});

test("what was held back of a message that is asked for again is dropped", () => {
  expect(heard(text("half a wor"), retry, text("whole"))).toEqual([text("half a "), retry, text("whole")]);
});
