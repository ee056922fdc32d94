import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { roundAmount } from "./amounts.ts";
import type { Ledger, LedgerFact } from "./ledger.ts";
import { createLedger } from "./ledger.ts";

const PEERS = ["a", "b", "c", "d"];
const peer = fc.constantFrom(...PEERS);
const above = fc.option(peer, { nil: null });
const sums = fc.record({ usd: fc.integer({ min: 0, max: 50 }), tokens: fc.integer({ min: 0, max: 500 }) });
const limit = fc.record({ usd: fc.integer({ min: 1, max: 99 }) });

const fact: fc.Arbitrary<LedgerFact> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("reported"), peerId: peer, sums, day: fc.constant("d1") }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("booted"), peerId: peer, parentId: above }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("spawned"),
      peerId: peer,
      parentId: above,
      fleet: fc.constantFrom("f", "g", null),
      run: fc.integer({ min: 1, max: 5 }),
      limit,
      runLimit: limit,
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("ended"), peerId: peer }) },
);

/** What each worker spent by the plainest account there is: the highest sum of each run, added up. */
function plainSums(facts: readonly LedgerFact[]): Map<string, number> {
  const runs = new Map<string, number[]>();
  const fresh = new Set<string>();
  for (const each of facts) {
    if (each.kind === "reported") {
      const known = runs.get(each.peerId) ?? [0];
      known[known.length - 1] = Math.max(known.at(-1) ?? 0, each.sums.usd ?? 0);
      runs.set(each.peerId, known);
    } else if (each.kind === "spawned" || (each.kind === "booted" && !fresh.delete(each.peerId))) {
      runs.set(each.peerId, [...(runs.get(each.peerId) ?? []), 0]);
      if (each.kind === "spawned") fresh.add(each.peerId);
    }
  }
  return new Map([...runs].map(([id, all]) => [id, all.reduce((sum, usd) => sum + usd, 0)]));
}

const tell = (facts: readonly LedgerFact[]): Ledger => {
  const ledger = createLedger();
  facts.forEach((each) => ledger.apply(each));
  return ledger;
};

describe("the books", () => {
  test("hold for every worker the highest sums of its runs, added up, whatever the order", () => {
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 60 }), (facts) => {
        const ledger = tell(facts);
        for (const [id, usd] of plainSums(facts)) expect(roundAmount(ledger.account(id)?.own.usd ?? 0)).toBe(usd);
      }),
    );
  });

  test("count an estimate until the agent says what it was, for everybody it counted for", () => {
    const said = (usd: number, isEstimate: boolean): LedgerFact => ({
      kind: "reported",
      peerId: "a",
      sums: { usd },
      isEstimate,
      day: "d1",
    });
    const started = { peerId: "a", parentId: "b", fleet: "f", run: 1, limit: {}, runLimit: {} } as const;
    const ledger = tell([{ kind: "spawned", ...started }, said(4, true), said(12, true)]);
    const books = (): unknown[] =>
      [
        ledger.account("a")?.spent,
        ledger.account("b")?.spent,
        ledger.fleet("f").spent,
        ledger.spentOn("d1"),
        ledger.total(),
      ].map((each) => roundAmount(each?.usd ?? -1));
    expect(books()).toEqual([12, 12, 12, 12, 12]);
    ledger.apply(said(4.4, false));
    expect(books()).toEqual([4.4, 4.4, 4.4, 4.4, 4.4]);
    // What was no estimate never falls.
    ledger.apply(said(1, false));
    expect(books()).toEqual([4.4, 4.4, 4.4, 4.4, 4.4]);
  });

  test("never lose or invent money: what all workers spent is the total, and no worker has more than that", () => {
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 60 }), (facts) => {
        const ledger = tell(facts);
        const own = PEERS.map((id) => ledger.account(id)?.own.usd ?? 0).reduce((sum, usd) => sum + usd, 0);
        expect(ledger.total().usd).toBe(own);
        expect(ledger.spentOn("d1").usd).toBe(own);
        for (const { spent, own: alone } of ledger.accounts().values()) {
          expect(spent.usd).toBeGreaterThanOrEqual(alone.usd);
          expect(spent.usd).toBeLessThanOrEqual(own);
        }
      }),
    );
  });

  test("never fall, and are the same after they were written down anywhere", () => {
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 40 }), fc.nat(40), (facts, at) => {
        const before = tell(facts.slice(0, at));
        const again = createLedger();
        again.load(JSON.parse(JSON.stringify(before.save())));
        let total = again.total().usd;
        for (const each of facts.slice(at)) {
          again.apply(each);
          expect(again.total().usd).toBeGreaterThanOrEqual(total);
          total = again.total().usd;
        }
        expect(again.save()).toEqual(tell(facts).save());
      }),
    );
  });
});

test("what a sub-worker spends counts for everybody it works for, and for their fleets, once", () => {
  const none = { limit: {}, runLimit: {}, run: 1 };
  const ledger = tell([
    { kind: "spawned", peerId: "a", parentId: null, fleet: "f", ...none },
    { kind: "spawned", peerId: "b", parentId: "a", fleet: "f", ...none },
    { kind: "spawned", peerId: "c", parentId: "b", fleet: null, ...none },
    { kind: "reported", peerId: "c", sums: { usd: 2, tokens: 10 }, day: "d1" },
    { kind: "reported", peerId: "a", sums: { usd: 1 }, day: "d2" },
  ]);
  expect(["a", "b", "c"].map((id) => ledger.account(id)?.spent.usd)).toEqual([3, 2, 2]);
  expect(ledger.account("a")?.own).toEqual({ usd: 1, tokens: 0 });
  expect(ledger.fleet("f").spent).toEqual({ usd: 3, tokens: 10 });
  expect([ledger.spentOn("d1").usd, ledger.spentOn("d2").usd]).toEqual([0, 1]);
});

test("a worker that was started spends for whom it was started for, whatever it says", () => {
  const spawned = { kind: "spawned", fleet: null, run: 1, limit: {}, runLimit: {} } as const;
  const ledger = tell([
    { ...spawned, peerId: "a", parentId: "b" },
    { kind: "booted", peerId: "a", parentId: "c" },
    { kind: "reported", peerId: "a", sums: { usd: 1 }, day: "d1" },
  ]);
  expect(ledger.chainOf("a")).toEqual(["a", "b"]);
});

test("workers that say they work for each other end nothing", () => {
  const ledger = tell([
    { kind: "booted", peerId: "a", parentId: "b" },
    { kind: "booted", peerId: "b", parentId: "a" },
    { kind: "reported", peerId: "a", sums: { usd: 1 }, day: "d1" },
  ]);
  expect(["a", "b"].map((id) => ledger.account(id)?.spent.usd)).toEqual([1, 1]);
});
