import type { ClosedTerminal, TerminalFact, TerminalView } from "../../bus/index.ts";
import type { AboutTerminal, Fact } from "../../terminals/index.ts";

type Settle = (stored: boolean) => void;

/** A terminal as the bus sees it. */
export function viewOf({ id, name, pid, argv, cwd, cols, rows, ...about }: AboutTerminal): TerminalView {
  const { openedAt, correlationId, workerId, integrated } = about;
  return { terminalId: id, name, pid, argv, cwd, cols, rows, openedAt, correlationId, workerId, integrated };
}

/** A fact of the host as the bus reads it. */
export function factOf(fact: Exclude<Fact, { kind: "closed" }>, settle: Settle): TerminalFact {
  const { id: terminalId, number, at } = fact;
  const about = { terminalId, number, at, settle };
  if (fact.kind === "ready") return { ...about, kind: "ready" };
  if (fact.kind === "content") {
    const { contentType, pid, basename } = fact;
    return { ...about, kind: "content", contentType, foregroundPid: pid, basename };
  }
  const { command } = fact;
  if (fact.kind === "command-start") return { ...about, kind: "command-start", command, offset: fact.from };
  const { exitCode, from, to, degraded } = fact;
  const startedAt = new Date(fact.startedAt).toISOString();
  return { ...about, kind: "command-end", command, exitCode, startedAt, from, to, degraded };
}

export function closedOf({ id, end, correlationId }: Fact & { kind: "closed" }, settle: Settle): ClosedTerminal {
  const { origin, exitCode, signal } = end;
  const exit = { exitCode, signal };
  return { terminalId: id, origin, exit, ...(correlationId === null ? {} : { correlationId }), settle };
}
