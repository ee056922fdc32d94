import { LIMITS } from "@claw/contract";
import type { Fact, FactBody } from "./fact.ts";

/** What became of terminals and has not been written down by anybody. */
export interface Facts {
  add(id: string, body: FactBody): void;
  /** Somebody wrote down what was told of a terminal, up to a number. */
  settle(id: string, number: number): void;
  /** Whether something is kept of a terminal. */
  keeps(id: string): boolean;
  /** Tells everything that is kept, then whatever comes. Returns how to be told no more. */
  follow(told: (fact: Fact) => void): () => void;
}

/** Closings are forgotten last: everything else can be seen in some other way. */
function overflow(kept: readonly Fact[]): Fact[] {
  const first = kept.findIndex(({ kind }) => kind !== "closed");
  return kept.toSpliced(Math.max(0, first), 1);
}

export function createFacts(): Facts {
  const numbers = new Map<string, number>();
  const followers = new Set<(fact: Fact) => void>();
  let kept: Fact[] = [];
  return {
    add: (id, body) => {
      const number = (numbers.get(id) ?? 0) + 1;
      numbers.set(id, number);
      const fact = { id, number, at: new Date().toISOString(), ...body };
      kept.push(fact);
      if (kept.length > LIMITS.terminalFacts) kept = overflow(kept);
      for (const told of followers) told(fact);
    },
    settle: (id, upTo) => {
      const closes = kept.some((fact) => fact.id === id && fact.kind === "closed" && fact.number <= upTo);
      kept = kept.filter((fact) => fact.id !== id || fact.number > upTo);
      if (closes) numbers.delete(id);
    },
    keeps: (id) => kept.some((fact) => fact.id === id),
    follow: (told) => {
      for (const fact of kept) told(fact);
      followers.add(told);
      return () => void followers.delete(told);
    },
  };
}
