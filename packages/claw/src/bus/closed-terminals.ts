import type { ServerEvent } from "./append-events.ts";
import { appendEvents } from "./append-events.ts";
import type { BusContext } from "./bus-context.ts";
import { withAdvance } from "./state/lifecycle-rules.ts";
import type { LifecycleEvent } from "./state/lifecycle-state.ts";
import type { ClosedTerminal } from "./terminals.ts";

/** What the closing of a terminal changes in a mission: its worker is closed, and nobody watches over it any more. */
function missionEvents(context: BusContext, terminalId: string): LifecycleEvent[] {
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

/** Tells of a terminal that was closed, and takes its worker out of the mission, in one commit. */
function tellClosed(context: BusContext, { terminalId, origin, correlationId }: ClosedTerminal): void {
  const taken = context.serial.run("lifecycle", (release) => {
    const workers = context.state.lifecycle.state()?.spawned_workers ?? [];
    const correlation_id = correlationId ?? workers.find(({ id }) => id === terminalId)?.correlation_id;
    const payload = { terminal_id: terminalId, close_origin: origin, closed_at: context.timestamp(), correlation_id };
    const closed: ServerEvent = { topic: "system.terminal.closed", payload };
    appendEvents(context, [closed, ...missionEvents(context, terminalId)], (outcome) => {
      if (outcome instanceof Error) context.report(`terminal ${terminalId} closed: ${outcome.message}`);
      release();
    });
  });
  if (!taken) context.report(`terminal ${terminalId} closed: too many changes of the mission wait`);
}

/** Follows what becomes of terminals. */
export function followTerminals(context: BusContext): void {
  context.terminals.onClosed((closed) => tellClosed(context, closed));
}

/** Catches up with terminals that were closed while nobody was told: their workers are gone. */
export function reconcileTerminals(context: BusContext): void {
  const open = new Set(context.terminals.open());
  for (const { id: terminalId, status } of context.state.lifecycle.state()?.spawned_workers ?? []) {
    if (status !== "closed" && !open.has(terminalId)) tellClosed(context, { terminalId, origin: "error" });
  }
}
