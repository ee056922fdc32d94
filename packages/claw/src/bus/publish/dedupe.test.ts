import { LIMITS } from "claw-contract";
import { expect, test } from "vitest";
import { createDedupe } from "./dedupe.ts";

test("the newest ids of several tables are remembered after a restart, as many as promised, whatever was forgotten between", () => {
  const before = createDedupe();
  const count = LIMITS.dedupeEntries * 1.5;
  for (let n = 1; n <= count; n += 1) {
    const entry = before.begin("p_1", `id-${n}`, `body ${n}`);
    if (entry.kind !== "new") throw new Error(`${n} is not new`);
    if (n % 1000 === 0) before.forget(entry, new Error("refused"));
    else before.settle(entry, { sequence: n, deliveredTo: 1 });
  }
  const after = createDedupe();
  for (const piece of before.remembered(count - 5)) after.remember(piece);
  const kindOf = (n: number, body = `body ${n}`): string => after.begin("p_1", `id-${n}`, body).kind;
  const kinds: Record<string, number> = {};
  for (let n = 1; n <= count; n += 1) {
    const kind = kindOf(n);
    kinds[kind] = (kinds[kind] ?? 0) + 1;
  }
  expect(kindOf(70_007, "another")).toBe("conflict");
  const receipt = { sequence: 70_007, deliveredTo: 0 };
  expect(after.begin("p_1", "id-70007", "body 70007")).toEqual({ kind: "done", receipt });
  // The four ids behind the place of the snapshot come back from the log.
  expect(kinds).toEqual({ done: LIMITS.dedupeEntries - 4, new: count - LIMITS.dedupeEntries + 4 });
});
