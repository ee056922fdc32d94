import type { TerminalFact, TerminalFactBody } from "claw-contract";
import { LIMITS } from "claw-contract";

/** Facts about terminals that the daemon has not stored yet. */
export interface Facts {
  add(id: string, body: TerminalFactBody): void;
  /** The daemon has stored the facts of a terminal up to this number; the host forgets them. */
  settle(id: string, number: number): void;
  /** Whether any fact of a terminal is kept. */
  keeps(id: string): boolean;
  /** Reports all kept facts, then each new fact. The returned function stops the reports. */
  follow(told: (fact: TerminalFact) => void): () => void;
}

/** Facts about closings are dropped last: all other facts can be learned in another way. */
function overflow(kept: readonly TerminalFact[]): TerminalFact[] {
  const first = kept.findIndex(({ kind }) => kind !== "closed");
  return kept.toSpliced(Math.max(0, first), 1);
}

export function createFacts(): Facts {
  const numbers = new Map<string, number>();
  const followers = new Set<(fact: TerminalFact) => void>();
  let kept: TerminalFact[] = [];
  return {
    add: (id, body) => {
      const number = (numbers.get(id) ?? 0) + 1;
      numbers.set(id, number);
      const fact = { terminalId: id, number, at: new Date().toISOString(), ...body };
      kept.push(fact);
      if (kept.length > LIMITS.terminalFacts) kept = overflow(kept);
      for (const told of followers) told(fact);
    },
    settle: (id, upTo) => {
      const closes = kept.some((fact) => fact.terminalId === id && fact.kind === "closed" && fact.number <= upTo);
      kept = kept.filter((fact) => fact.terminalId !== id || fact.number > upTo);
      if (closes) numbers.delete(id);
    },
    keeps: (id) => kept.some((fact) => fact.terminalId === id),
    follow: (told) => {
      for (const fact of kept) told(fact);
      followers.add(told);
      return () => void followers.delete(told);
    },
  };
}
