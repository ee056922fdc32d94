import { expect, test } from "vitest";
import { createTurns } from "./take-turns.ts";

test("so many go on at a time, in order, whether they succeed or not", async () => {
  const inTurn = createTurns(2);
  const began: number[] = [];
  const endings: (() => void)[] = [];
  const works = [0, 1, 2, 3].map((number) =>
    inTurn(async () => {
      began.push(number);
      await new Promise<void>((resolve) => (endings[number] = resolve));
      if (number === 1) throw new Error("failed");
      return number;
    }).catch((error: Error) => error.message),
  );
  const seen = [];
  for (const number of [1, 0, 2, 3]) {
    await new Promise(setImmediate);
    seen.push([...began]);
    endings[number]?.();
  }
  expect([seen, await Promise.all(works)]).toEqual([
    [
      [0, 1],
      [0, 1, 2],
      [0, 1, 2, 3],
      [0, 1, 2, 3],
    ],
    [0, "failed", 2, 3],
  ]);
});
