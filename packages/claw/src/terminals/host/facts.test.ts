import type { TerminalFact } from "claw-contract";
import { LIMITS } from "claw-contract";
import { expect, test } from "vitest";
import { createFacts } from "./facts.ts";

const CLOSED = { kind: "closed", origin: "user", exitCode: 0, signal: null, correlationId: null } as const;

const told = (facts: ReturnType<typeof createFacts>): string[] => {
  const seen: string[] = [];
  facts.follow(({ terminalId, number, kind }: TerminalFact) => seen.push(`${terminalId}:${number}:${kind}`))();
  return seen;
};

test("facts are numbered for each terminal and told until they are settled", () => {
  const facts = createFacts();
  facts.add("1", { kind: "ready" });
  facts.add("2", { kind: "ready" });
  facts.add("1", { kind: "command-start", command: "ls", from: 0 });
  expect(told(facts)).toEqual(["1:1:ready", "2:1:ready", "1:2:command-start"]);
  facts.settle("1", 1);
  expect(told(facts)).toEqual(["2:1:ready", "1:2:command-start"]);
  expect([facts.keeps("1"), facts.keeps("3")]).toEqual([true, false]);
  facts.settle("1", 2);
  expect(facts.keeps("1")).toBe(false);
  facts.add("1", { kind: "ready" });
  expect(told(facts)).toEqual(["2:1:ready", "1:3:ready"]);
});

test("the numbers of a terminal end with its settled closing, and not before", () => {
  const facts = createFacts();
  facts.add("1", { kind: "ready" });
  facts.add("1", CLOSED);
  facts.settle("1", 1);
  expect(told(facts)).toEqual(["1:2:closed"]);
  facts.settle("1", 2);
  facts.add("1", { kind: "ready" });
  expect(told(facts)).toEqual(["1:1:ready"]);
});

test("a follower is told what is kept, then what comes, until it leaves", () => {
  const facts = createFacts();
  const seen: string[] = [];
  facts.add("1", { kind: "ready" });
  const leave = facts.follow(({ kind }) => seen.push(kind));
  facts.add("1", CLOSED);
  leave();
  facts.add("2", { kind: "ready" });
  expect(seen).toEqual(["ready", "closed"]);
});

test("of too many facts the oldest goes, closings last", () => {
  const facts = createFacts();
  facts.add("1", CLOSED);
  facts.add("2", { kind: "ready" });
  for (let number = 0; number < LIMITS.terminalFacts - 2; number += 1) facts.add("3", CLOSED);
  expect(told(facts).slice(0, 2)).toEqual(["1:1:closed", "2:1:ready"]);
  facts.add("4", CLOSED);
  expect(told(facts).slice(0, 2)).toEqual(["1:1:closed", "3:1:closed"]);
  facts.add("5", CLOSED);
  expect(told(facts)[0]).toBe("3:1:closed");
  expect(told(facts)).toHaveLength(LIMITS.terminalFacts);
});
