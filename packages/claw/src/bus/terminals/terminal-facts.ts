import type { TerminalChange } from "claw-contract";
import type { ServerEvent } from "../publish/append-events.ts";
import { appendEvents } from "../publish/append-events.ts";
import type { Store } from "../publish/store-event.ts";
import type { Knowledge } from "../state/knowledge.ts";
import type { SettleFact } from "./terminals.ts";

/** The first output of a terminal: its program lives. */
function readyEvents({ state }: Pick<Knowledge, "state">, { terminalId, number, at }: TerminalChange): ServerEvent[] {
  const record = state.terminals.get(terminalId);
  // Opening the terminal publishes BOOTING, whose event may not be committed yet.
  const from = record?.state === "PROVISIONING" ? "BOOTING" : (record?.state ?? null);
  const payload = { terminalId, from, to: "READY", ts: at, fact: number };
  const events: ServerEvent[] = [{ topic: `vehicle.${terminalId}.state`, payload }];
  const correlation = record?.correlationId ?? null;
  if (correlation === null) return events;
  const ready = { terminal_id: terminalId, correlation_id: correlation, ts: at };
  return [...events, { topic: "system.terminal.ready", payload: ready }];
}

/** The events that represent a fact. */
function eventsOf(context: Store & Pick<Knowledge, "state">, fact: TerminalChange): ServerEvent[] {
  const { terminalId, number, at } = fact;
  if (fact.kind === "ready") return readyEvents(context, fact);
  if (fact.kind === "content") {
    const { contentType, pid: foregroundPid, basename } = fact;
    const confidence = foregroundPid === null ? "unknown" : "high";
    const seen = { terminalId, contentType, foregroundPid, basename, detectedAt: at, confidence, fact: number };
    return [{ topic: `vehicle.${terminalId}.content`, payload: seen }];
  }
  const { command } = fact;
  if (fact.kind === "command-start") {
    const payload = { terminalId, command, startedAt: at, offset: fact.from, fact: number };
    return [{ topic: `command.${terminalId}.start`, payload }];
  }
  const { exitCode, degraded, from, to } = fact;
  const durationMs = Math.max(0, Date.parse(at) - fact.startedAt) || 0;
  const payload = { terminalId, command, exitCode, durationMs, degraded, endedAt: at, from, to, fact: number };
  return [{ topic: `command.${terminalId}.end`, payload }];
}

/** Stores a fact as events, unless the fact is stored already or the terminal is closed. */
export function writeFact(context: Store & Pick<Knowledge, "state">, fact: TerminalChange, settle: SettleFact): void {
  const record = context.state.terminals.get(fact.terminalId);
  if (record !== undefined && (record.fact >= fact.number || record.state === "CLOSED")) return settle?.(true);
  return appendEvents(context, eventsOf(context, fact), (outcome) => {
    settle?.(!(outcome instanceof Error));
    if (outcome instanceof Error) context.report(`terminal ${fact.terminalId}: ${outcome.message}`);
  });
}
