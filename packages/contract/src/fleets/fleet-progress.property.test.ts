import * as fc from "fast-check";
import { expect, test } from "vitest";
import { checkFleet } from "./check-fleet.ts";
import type { FleetFact, FleetProgress } from "./fleet-progress.ts";
import { advanceFleet, isFleetOver, nextStarts, planFleet } from "./fleet-progress.ts";

const NAMES = ["a", "b", "c", "d", "e", "f"];

/** Workers that need only such as stand before them, so that there is no circle. */
const fleet = fc
  .array(fc.record({ needs: fc.subarray(NAMES), checked: fc.boolean() }), { minLength: 1, maxLength: NAMES.length })
  .map((workers) =>
    workers.map(({ needs, checked }, index) => ({
      name: NAMES[index] ?? "",
      needs: needs.filter((need) => NAMES.indexOf(need) < index),
      checked,
    })),
  );

const ending = fc.constantFrom("ok", "ok", "ok", "failed", "cancelled", "bad_checks", "crash", "refused");
type Ending = "ok" | "failed" | "cancelled" | "bad_checks" | "crash" | "refused";

function endingFacts(name: string, how: Ending, checked: boolean): FleetFact[] {
  const peerId = `p_${name}`;
  if (how === "refused") return [{ kind: "not_started", name, reason: "no" }];
  const started: FleetFact = { kind: "started", name, peerId, adopted: false };
  if (how === "crash") {
    return [started, { kind: "state", peerId, state: "gone", reason: "" }, { kind: "given_up", peerId }];
  }
  const result = how === "bad_checks" ? "ok" : how;
  return [
    started,
    { kind: "completed", peerId, result, summary: "" },
    ...(checked ? [{ kind: "verified", peerId, passed: how !== "bad_checks" } as const] : []),
  ];
}

interface Run {
  readonly last: FleetProgress;
  readonly order: readonly string[];
  readonly most: number;
}

/** Runs a fleet to its end; `pick` says who of those that run ends next. */
function runFleet(first: FleetProgress, endings: ReadonlyMap<string, Ending>, pick: () => number): Run {
  let progress = first;
  const running: string[] = [];
  const order: string[] = [];
  let most = 0;
  while (!isFleetOver(progress)) {
    for (const name of nextStarts(progress)) {
      progress = advanceFleet(progress, { kind: "starting", name });
      running.push(name);
      order.push(name);
    }
    most = Math.max(most, running.length);
    const [name] = running.splice(pick() % running.length, 1);
    expect(name).toBeDefined();
    const member = first.members.find((each) => each.name === name);
    const facts = endingFacts(name ?? "", endings.get(name ?? "") ?? "ok", member?.checked ?? false);
    for (const fact of facts) progress = advanceFleet(progress, fact);
  }
  return { last: progress, order, most };
}

test("a fleet comes to an end, starts nobody before its needs are done or twice, and never too many at once", () => {
  fc.assert(
    fc.property(
      fleet,
      fc.array(ending, { minLength: 6, maxLength: 6 }),
      fc.record({ concurrency: fc.integer({ min: 1, max: 4 }), keepGoing: fc.boolean() }),
      fc.infiniteStream(fc.nat(10)),
      (workers, hows, options, picks) => {
        const endings = new Map(workers.map(({ name }, index) => [name, hows[index] ?? "ok"]));
        const { last, order, most } = runFleet(planFleet(workers, options), endings, () => picks.next().value ?? 0);
        expect(most).toBeLessThanOrEqual(options.concurrency);
        expect(new Set(order).size).toBe(order.length);
        const isGood = ({ name, checked }: { name: string; checked: boolean }): boolean =>
          endings.get(name) === "ok" || (endings.get(name) === "bad_checks" && !checked);
        for (const member of last.members) {
          expect(member.status === "skipped").toBe(!order.includes(member.name));
          expect(member.status !== "done" || isGood(member)).toBe(true);
          for (const need of order.includes(member.name) ? member.needs : []) {
            expect(order.indexOf(need)).toBeLessThan(order.indexOf(member.name));
            expect(last.members.find(({ name }) => name === need)?.status).toBe("done");
          }
          expect(member.status === "skipped" && member.reason === "").toBe(false);
        }
        const lost = new Set(last.members.filter(({ status }) => status !== "done").map(({ name }) => name));
        for (const { status, needs } of last.members) {
          expect(!options.keepGoing || status !== "skipped" || needs.some((need) => lost.has(need))).toBe(true);
        }
      },
    ),
  );
});

test("a circle is found and named wherever it is, and nothing else is taken for one", () => {
  fc.assert(
    fc.property(fleet, fc.nat(5), fc.nat(5), (workers, from, to) => {
      expect(checkFleet(workers)).toEqual([]);
      const [first, last] = [workers[from % workers.length], workers[to % workers.length]];
      if (first === undefined || last === undefined) return;
      const closed = workers.map((worker) =>
        worker.name === first.name ? { ...worker, needs: [...worker.needs, last.name] } : worker,
      );
      const reaches = (name: string, goal: string): boolean =>
        name === goal ||
        (workers.find((worker) => worker.name === name)?.needs.some((need) => reaches(need, goal)) ?? false);
      const found = checkFleet(closed).filter(({ message }) => message.startsWith("workers wait for each other"));
      expect(found.length).toBe(reaches(last.name, first.name) ? 1 : 0);
    }),
  );
});

test("names that come twice and names that nobody has are told with their places", () => {
  expect(
    checkFleet([
      { name: "a", needs: ["x"] },
      { name: "a", needs: ["a"] },
    ]),
  ).toEqual([
    { path: ["workers", 1, "name"], message: "'a' is the name of another worker too" },
    { path: ["workers", 0, "needs", 0], message: "no worker is called 'x'" },
    { path: ["workers", 0, "needs"], message: "workers wait for each other: a → a" },
  ]);
});

test("a worker that is sent back is not done until it has done it again", () => {
  const about = { peerId: "p" } as const;
  let progress = planFleet([{ name: "a", needs: [], checked: false }], { concurrency: 1, keepGoing: false });
  const tell = (fact: FleetFact): string | undefined => {
    progress = advanceFleet(progress, fact);
    return progress.members[0]?.status;
  };
  expect([
    tell({ kind: "started", name: "a", adopted: false, ...about }),
    tell({ kind: "completed", result: "failed", summary: "", ...about }),
    tell({ kind: "rework", ...about }),
    tell({ kind: "state", state: "working", reason: "", ...about }),
    tell({ kind: "completed", result: "ok", summary: "", ...about }),
  ]).toEqual(["running", "failed", "running", "running", "done"]);
});
