import { expect, onTestFinished, test, vi } from "vitest";
import { createIntake } from "./mark-intake.ts";
import { markBegin } from "./marks.ts";

const NONCE = "0123456789abcdef";

function openIntake() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const seen: string[] = [];
  const intake = createIntake(NONCE, {
    output: (bytes) => seen.push(bytes.toString()),
    mark: ({ kind }) => seen.push(`<${kind}>`),
  });
  return { seen, push: (text: string): void => intake.chunk(Buffer.from(text)), end: () => intake.end() };
}

test("what may be the start of a mark is held back for a quarter of a second", () => {
  const { seen, push } = openIntake();
  push("a\u001b]69");
  vi.advanceTimersByTime(249);
  expect(seen).toEqual(["a"]);
  vi.advanceTimersByTime(1);
  expect(seen).toEqual(["a", "\u001b]69"]);
});

test("the time counts from the last of it, and not at all once it is a mark", () => {
  const { seen, push } = openIntake();
  push("\u001b]69");
  vi.advanceTimersByTime(200);
  push("73;");
  vi.advanceTimersByTime(200);
  expect(seen).toEqual([]);
  push(`${markBegin(NONCE).slice("\u001b]6973;".length)}B\u0007`);
  expect(seen).toEqual(["<prompt>"]);
  expect(vi.getTimerCount()).toBe(0);
  push("plain");
  expect(vi.getTimerCount()).toBe(0);
});

test("at the end nothing is held back", () => {
  const { seen, push, end } = openIntake();
  push("\u001b");
  end();
  expect(seen).toEqual(["\u001b"]);
  expect(vi.getTimerCount()).toBe(0);
});
