import type { TerminalChange } from "claw-contract";
import type { ServerEvent } from "../publish/store-event.ts";
import { appendEvents } from "../publish/store-event.ts";
import type { Store } from "../publish/store-event.ts";
import type { Knowledge } from "../state/knowledge.ts";
import { withAdvance } from "../state/lifecycle-rules.ts";
import type { LifecycleEvent } from "../state/lifecycle-state.ts";
import type { ClosedTerminal, SettleFact, Terminals } from "./terminals.ts";

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
function writeFact(context: Store & Pick<Knowledge, "state">, fact: TerminalChange, settle: SettleFact): void {
  const record = context.state.terminals.get(fact.terminalId);
  if (record !== undefined && (record.fact >= fact.number || record.state === "CLOSED")) return settle?.(true);
  return appendEvents(context, eventsOf(context, fact), (outcome) => {
    settle?.(!(outcome instanceof Error));
    if (outcome instanceof Error) context.report(`terminal ${fact.terminalId}: ${outcome.message}`);
  });
}

/** Shelves that a closed terminal changes, and the terminals. */
interface Closing extends Store, Knowledge {
  readonly terminals: Terminals;
}

/** Events for the mission when a terminal closes: its worker is closed, and its monitor is removed. */
function missionEvents(context: Closing, terminalId: string): LifecycleEvent[] {
  const mission = context.state.lifecycle.state();
  const ts = context.timestamp();
  const worker = mission?.spawned_workers.find(({ id }) => id === terminalId);
  const events: LifecycleEvent[] = [];
  if (worker !== undefined && worker.status !== "closed") {
    events.push({ topic: "lifecycle.worker-status", payload: { terminal_id: terminalId, status: "closed", ts } });
  }
  if (mission?.monitors.some(({ terminal_id: watched }) => watched === terminalId) === true) {
    events.push({ topic: "lifecycle.monitor-removed", payload: { terminal_id: terminalId, ts } });
  }
  return events.length === 0 ? [] : withAdvance(mission, events, ts);
}

/** Events about the closing of a terminal that was opened over the wire. */
function vehicleEvents(context: Closing, terminalId: string, correlation?: string): ServerEvent[] {
  const record = context.state.terminals.get(terminalId);
  const ts = context.timestamp();
  if (record === undefined || record.state === "CLOSED") return [];
  const payload = { terminal_id: terminalId, terminated_at: ts, correlation_id: correlation };
  return [
    { topic: `vehicle.${terminalId}.state`, payload: { terminalId, from: record.state, to: "CLOSED", ts } },
    { topic: "system.worker.terminated", payload },
  ];
}

/** Publishes that a terminal closed, and closes its worker in the mission, in one commit. */
function tellClosed(context: Closing, closed: ClosedTerminal, settle?: SettleFact): void {
  const { terminalId, origin, correlationId, exitCode, signal } = closed;
  const record = context.state.terminals.get(terminalId);
  if (record?.state === "CLOSED") return settle?.(true);
  const taken = context.serial.run("lifecycle", (release) => {
    const workers = context.state.lifecycle.state()?.spawned_workers ?? [];
    const known = workers.find(({ id }) => id === terminalId)?.correlation_id ?? record?.correlationId ?? undefined;
    const correlation_id = correlationId ?? known;
    const about = { terminal_id: terminalId, close_origin: origin, closed_at: context.timestamp(), correlation_id };
    const payload = { ...about, ...(exitCode === undefined ? {} : { exit_code: exitCode, signal }) };
    const closed: ServerEvent = { topic: "system.terminal.closed", payload };
    const [left, terminated] = vehicleEvents(context, terminalId, correlation_id);
    const events = [left, closed, terminated, ...missionEvents(context, terminalId)];
    appendEvents(
      context,
      events.filter((event) => event !== undefined),
      (outcome) => {
        settle?.(!(outcome instanceof Error));
        if (outcome instanceof Error) context.report(`terminal ${terminalId} closed: ${outcome.message}`);
        release();
      },
    );
  });
  if (!taken) {
    settle?.(false);
    context.report(`terminal ${terminalId} closed: too many changes of the mission wait`);
  }
  return undefined;
}

/** Publishes the closings and the facts of all terminals from now on. */
export function followTerminals(context: Closing): void {
  context.terminals.onClosed((closed, settle) => tellClosed(context, closed, settle));
  context.terminals.onFact((fact, settle) => writeFact(context, fact, settle));
}

/** Publishes that terminals closed while the bus was not informed: their workers are gone. */
export function reconcileTerminals(context: Closing): void {
  const open = new Set(context.terminals.open());
  for (const { terminalId, machine } of context.state.terminals.open()) {
    if (machine !== context.log.machine || open.has(terminalId)) continue;
    tellClosed(context, { terminalId, origin: "error", correlationId: null });
  }
}
