import { LIMITS } from "claw-contract";
import { expect, test } from "vitest";
import { createDedupe } from "./dedupe.ts";

test("ids of several tables are remembered after a restart, as many as before, whatever was forgotten between", () => {
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
  expect(kindOf(7, "another")).toBe("conflict");
  expect(after.begin("p_1", "id-7", "body 7")).toEqual({ kind: "done", receipt: { sequence: 7, deliveredTo: 0 } });
  expect(kinds).toEqual({ done: count - count / 1000 - 4, new: count / 1000 + 4 });
});
