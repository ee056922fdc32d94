import type { EventKind } from "@claw/contract/schemas";
import type { Client } from "../client.ts";
import { CLIENT_LIMITS } from "../client-limits.ts";
import type { Receipt } from "../spool.ts";
import type { Timer } from "../timer.ts";
import { uuid } from "../uuid.ts";
import type { Answer, AskLimits, Asks } from "./asks.ts";
import { startHeartbeat } from "./heartbeat.ts";
import type { PhaseTrack } from "./phase-track.ts";
import type { EventFields, HeartbeatFields } from "./worker-input.ts";
import { severityOf } from "./worker-input.ts";
import type { Worker, WorkerOptions } from "./worker.ts";

interface Parts {
  readonly client: Client;
  readonly phases: PhaseTrack;
  readonly asks: Asks;
  readonly timer: Timer;
  readonly options: WorkerOptions;
}

type Methods = Pick<Worker, "boot" | "phase" | "report" | "event" | "ask" | "blocked" | "complete" | "fatal">;

interface Reports {
  readonly methods: Methods;
  /** No more heartbeats. */
  stop(): void;
}

type Publish = (name: string, data: Readonly<Record<string, unknown>>, correlationId?: string) => Promise<Receipt>;

/** Publishes on the worker's own topics, and remembers the id of its latest event. */
function createOwnPublish({ client, options }: Parts): { readonly publish: Publish; lastEventId(): string | null } {
  const { parentId, terminalId } = options;
  let lastEventId: string | null = null;
  return {
    lastEventId: () => lastEventId,
    publish: (name, data, correlationId) => {
      const id = uuid();
      if (name !== "heartbeat") lastEventId = id;
      return client.publish(`worker.{self}.${name}`, data, {
        id,
        ...(correlationId === undefined ? {} : { correlationId }),
        ...(parentId === undefined ? {} : { parentId }),
        ...(terminalId === undefined ? {} : { terminalId }),
      });
    },
  };
}

/** What heartbeats tell. */
function createVitals({ phases, timer }: Parts, lastEventId: () => string | null) {
  let fields: HeartbeatFields = {};
  let phaseSince = timer.now();
  return {
    set: (more: HeartbeatFields): void => {
      fields = { ...fields, ...more };
    },
    enteredPhase: (): void => {
      phaseSince = timer.now();
    },
    read: () => ({
      tokens_used: 0,
      cost_usd: 0,
      ...fields,
      current_phase: phases.current() ?? "PLAN",
      time_in_phase_ms: Math.max(0, timer.now() - phaseSince),
      last_event_id: lastEventId(),
    }),
  };
}

/** Asks by an event and waits for what answers it. */
function createAsking({ asks }: Parts, event: Methods["event"]) {
  return async (kind: EventKind, input: AskLimits & EventFields & { message: string }): Promise<Answer> => {
    const { message, timeoutMs, signal, request_id = uuid(), data } = input;
    const limits = { ...(timeoutMs === undefined ? {} : { timeoutMs }), ...(signal === undefined ? {} : { signal }) };
    const answer = asks.open(request_id, limits);
    const published = event(kind, message, { request_id, ...(data === undefined ? {} : { data }) });
    published.catch((error: Error) => asks.drop(request_id, error));
    return answer;
  };
}

/** Heartbeats between boot and end. */
function createPulse({ client, timer, options }: Parts, beat: () => Promise<Receipt>) {
  let stop = (): void => undefined;
  // A heartbeat that could not be sent in its time is worth nothing later.
  const tick = (): void => {
    if (client.status() === "open") beat().catch(() => undefined);
  };
  return {
    start: (): void => {
      stop();
      stop = startHeartbeat(timer, options.heartbeatMs ?? CLIENT_LIMITS.heartbeatMs, tick);
    },
    stop: (): void => stop(),
  };
}

type Vitals = ReturnType<typeof createVitals>;
type Pulse = ReturnType<typeof createPulse>;

function createLifecycle(parts: Parts, publish: Publish, vitals: Vitals, pulse: Pulse) {
  const { phases, timer, options } = parts;
  const { parentId, terminalId = "" } = options;
  let bootedAt = timer.now();
  const boot: Methods["boot"] = ({ terminal_id = terminalId, role = "worker", ...input }) => {
    bootedAt = timer.now();
    pulse.start();
    const parent = parentId === undefined ? {} : { parent_peer_id: parentId };
    return publish("boot", { ...parent, ...input, role, terminal_id });
  };
  const phase: Methods["phase"] = async (to, reason, metadata) => {
    const change = phases.enter(to);
    vitals.enteredPhase();
    if (phases.terminal()) pulse.stop();
    try {
      return await publish("phase", { ...change, transition_reason: reason, metadata });
    } catch (error) {
      phases.undo(change);
      throw error;
    }
  };
  const complete: Methods["complete"] = (input) => {
    pulse.stop();
    const known = { phases_completed: phases.completed(), duration_ms: Math.max(0, timer.now() - bootedAt) };
    return publish("complete", { result: "ok", artifacts: [], ...known, ...input });
  };
  return { boot, phase, complete };
}

export function createSelfReports(parts: Parts): Reports {
  const own = createOwnPublish(parts);
  const vitals = createVitals(parts, () => own.lastEventId());
  const pulse = createPulse(parts, () => own.publish("heartbeat", vitals.read()));
  const event: Methods["event"] = (kind, message, fields = {}) =>
    own.publish("event", { kind, severity: severityOf(kind), message, ...fields }, fields.request_id);
  const ask = createAsking(parts, event);
  const methods: Methods = {
    ...createLifecycle(parts, own.publish, vitals, pulse),
    report: (fields) => vitals.set(fields),
    event,
    ask: ({ request_type = "decision", options, data, ...input }) =>
      ask("REQUEST", { ...input, data: { request_type, options, ...data } }),
    blocked: ({ blocking_resource, retryable, data, ...input }) =>
      ask("BLOCKED", { ...input, data: { blocking_resource, retryable, ...data } }),
    fatal: (message, data) => {
      pulse.stop();
      own.publish("heartbeat", { ...vitals.read(), severity: "fatal", message }).catch(() => undefined);
      return event("ERROR", message, { severity: "fatal", ...(data === undefined ? {} : { data }) });
    },
  };
  return { methods, stop: () => pulse.stop() };
}
