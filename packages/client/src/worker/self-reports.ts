import type { EventKind } from "claw-contract/schemas";
import { CLIENT_LIMITS } from "claw-contract/client";
import type { Client } from "../client.ts";
import type { Publication } from "../publishing/publishing.ts";
import type { Receipt } from "../publishing/spool.ts";
import type { Timer } from "../platform.ts";
import { uuid } from "../platform.ts";
import type { Announcement, OwnEvents } from "./own-events.ts";
import { createAnnouncement, createOwnEvents } from "./own-events.ts";
import type { Answer, AskLimits, Asks } from "./commands.ts";
import type { PhaseTrack } from "./phase-track.ts";
import type { EventFields, HeartbeatFields, Worker, WorkerOptions } from "./worker.ts";
import { severityOf } from "./worker.ts";

/** Calls `beat` at an interval. The returned function stops the heartbeat; idempotent. */
function startHeartbeat(timer: Timer, intervalMs: number, beat: () => void): () => void {
  let cancel: () => void;
  const next = (): void => {
    cancel = timer.after(intervalMs, () => {
      next();
      beat();
    });
  };
  next();
  return () => cancel();
}

interface Parts {
  readonly client: Client;
  readonly phases: PhaseTrack;
  readonly asks: Asks;
  readonly timer: Timer;
  readonly options: WorkerOptions;
}

type Methods = Pick<
  Worker,
  "boot" | "phase" | "report" | "beat" | "event" | "signal" | "step" | "ask" | "blocked" | "complete" | "fatal"
>;

interface Reports {
  readonly methods: Methods;
  /** No more heartbeats. */
  stop(): void;
  /** Events to publish first to a bus that has forgotten this worker. */
  again(): readonly Publication[];
}

/** The fields of a heartbeat. */
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

type EventInput = EventFields & { readonly kind: EventKind; readonly message: string };

const eventData = ({ kind, message, ...fields }: EventInput) => ({
  kind,
  severity: severityOf(kind),
  message,
  ...fields,
});

/** Publishes a question as an event and waits for the answer. */
function createAsking({ asks }: Parts, own: OwnEvents, announcement: Announcement) {
  return async ({ timeoutMs, signal, request_id = uuid(), ...input }: AskLimits & EventInput): Promise<Answer> => {
    const limits = { ...(timeoutMs === undefined ? {} : { timeoutMs }), ...(signal === undefined ? {} : { signal }) };
    const answer = asks.open(request_id, limits);
    const question = own.compose("event", eventData({ ...input, request_id }), { correlationId: request_id });
    let close = (): void => undefined;
    own.publish(question).then(
      () => (close = asks.isOpen(request_id) ? announcement.asked(question) : close),
      (error: Error) => asks.drop(request_id, error),
    );
    try {
      return await answer;
    } finally {
      close();
    }
  };
}

/** Heartbeats between boot and end. */
function createPulse({ client, timer, options, phases }: Parts, beat: () => Promise<Receipt>) {
  let stop = (): void => undefined;
  let state: "before" | "beating" | "stopped" = "before";
  // A heartbeat that cannot be sent on time is worthless later, so it is dropped.
  const tick = (): void => {
    if (client.status() === "open") beat().catch(() => undefined);
  };
  const start = (): void => {
    stop();
    state = "beating";
    stop = startHeartbeat(timer, options.heartbeatMs ?? CLIENT_LIMITS.heartbeatMs, tick);
  };
  return {
    start,
    /** Resumes heartbeats after the worker's final event could not be published. */
    again: (): void => {
      if (state === "stopped" && !phases.terminal() && client.status() !== "closed") start();
    },
    stop: (): void => {
      if (state === "beating") state = "stopped";
      stop();
    },
  };
}

interface Reporting extends Parts {
  readonly own: OwnEvents;
  readonly vitals: ReturnType<typeof createVitals>;
  readonly pulse: ReturnType<typeof createPulse>;
  readonly announcement: Announcement;
}

function createLifecycle({ phases, timer, options, own, vitals, pulse, announcement }: Reporting) {
  const { parentId, terminalId = "" } = options;
  let bootedAt = timer.now();
  const boot: Methods["boot"] = async ({ terminal_id = terminalId, role = "worker", ...input }, given) => {
    bootedAt = timer.now();
    pulse.start();
    const parent = parentId === undefined ? {} : { parent_peer_id: parentId };
    const data = { ...parent, ...input, role, terminal_id };
    const receipt = await own.send("boot", data, given);
    announcement.booted(data);
    return receipt;
  };
  const phase: Methods["phase"] = async (to, reason, metadata) => {
    const change = phases.enter(to);
    vitals.enteredPhase();
    if (phases.terminal()) pulse.stop();
    try {
      const receipt = await own.send("phase", { ...change, transition_reason: reason, metadata });
      phases.confirm(change);
      announcement.entered(to);
      return receipt;
    } catch (error) {
      phases.undo(change);
      pulse.again();
      throw error;
    }
  };
  const complete: Methods["complete"] = async (input) => {
    pulse.stop();
    const known = { phases_completed: phases.completed(), duration_ms: Math.max(0, timer.now() - bootedAt) };
    try {
      const receipt = await own.send("complete", { result: "ok", artifacts: [], ...known, ...input });
      announcement.ended();
      return receipt;
    } catch (error) {
      // The worker has not ended as long as the bus did not store the event. The caller may try again.
      pulse.again();
      throw error;
    }
  };
  return { boot, phase, complete };
}

export function createSelfReports(parts: Parts): Reports {
  const own = createOwnEvents(parts.client, parts.options);
  const announcement = createAnnouncement((...event) => own.compose(...event));
  const vitals = createVitals(parts, () => own.lastEventId());
  const beat = (): Promise<Receipt> => own.send("heartbeat", vitals.read());
  const pulse = createPulse(parts, beat);
  const event: Methods["event"] = (kind, message, fields = {}) =>
    own.send("event", eventData({ kind, message, ...fields }), { correlationId: fields.request_id });
  const ask = createAsking(parts, own, announcement);
  const methods: Methods = {
    ...createLifecycle({ ...parts, own, vitals, pulse, announcement }),
    report: (fields) => vitals.set(fields),
    beat,
    event,
    signal: (signal, fields = {}) =>
      own.send("signal", { source: "self", at: new Date(parts.timer.now()).toISOString(), ...fields, signal }),
    step: ({ id }, input) => own.send("command", { route: "bus", ...input, command_id: id }),
    ask: ({ request_type = "decision", options, data, ...input }) =>
      ask({ ...input, kind: "REQUEST", data: { request_type, options, ...data } }),
    blocked: ({ blocking_resource, retryable, data, ...input }) =>
      ask({ ...input, kind: "BLOCKED", data: { blocking_resource, retryable, ...data } }),
    fatal: async (message, data) => {
      pulse.stop();
      own.send("heartbeat", { ...vitals.read(), severity: "fatal", message }).catch(() => undefined);
      try {
        const receipt = await event("ERROR", message, { severity: "fatal", ...(data === undefined ? {} : { data }) });
        announcement.ended();
        return receipt;
      } catch (error) {
        pulse.again();
        throw error;
      }
    },
  };
  return { methods, stop: () => pulse.stop(), again: () => announcement.again() };
}
