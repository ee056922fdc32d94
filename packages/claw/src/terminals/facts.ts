import { LIMITS } from "@claw/contract";
import type { Fact, FactBody } from "./fact.ts";

/** Facts about terminals that the daemon has not stored yet. */
export interface Facts {
  add(id: string, body: FactBody): void;
  /** The daemon has stored the facts of a terminal up to this number; the host forgets them. */
  settle(id: string, number: number): void;
  /** Whether any fact of a terminal is kept. */
  keeps(id: string): boolean;
  /** Reports all kept facts, then each new fact. The returned function stops the reports. */
  follow(told: (fact: Fact) => void): () => void;
}

/** Facts about closings are dropped last: all other facts can be learned in another way. */
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
