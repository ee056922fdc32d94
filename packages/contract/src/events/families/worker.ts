import * as z from "zod";
import { wrappedEvent } from "../event-row.ts";
import {
  amount,
  anyText,
  Artifact,
  flag,
  list,
  record,
  requestId,
  role,
  text,
  texts,
  timestamp,
  whole,
} from "../fields.ts";
import { COMMAND_ROUTES, EVIDENCE_KINDS, STATE_SOURCES, WORKER_SIGNALS } from "../../workers/worker-words.ts";
import { PHASES } from "../phases.ts";
import { COMMAND_STEPS } from "./system.ts";
import { SEVERITIES, WorkerEvent } from "../worker-event.ts";

const phase = (description: string) => z.enum(PHASES).describe(description);
const phases = (description: string) => list(z.enum(PHASES), description);

const ESTIMATED = "Whether the cost is estimated from tokens. What the agent says later replaces it, up or down.";

const UNKNOWN_CALLS = "Model calls since boot that were cut off; their usage is unknown.";

export const WORKER_RESULTS = ["ok", "failed", "cancelled"] as const;
export const HEARTBEAT_KINDS = [
  "progress",
  "heartbeat",
  "approach",
  "error",
  "mission_complete",
  "mission_failed",
] as const;

export const WorkerBoot = z.looseObject({
  model: text("Model the agent runs on."),
  role: role("Role the peer took."),
  mission_summary: text("What the worker was asked to do, in a line."),
  cwd: text("Working directory."),
  terminal_id: anyText("Terminal it runs in; empty for a worker without one."),
  parent_peer_id: text("Peer that spawned it.").nullable().optional(),
  capabilities: texts("What the worker can do beyond the minimum.").optional(),
});
export type WorkerBoot = z.infer<typeof WorkerBoot>;

export const WorkerPhase = z.looseObject({
  phase: phase("Phase entered."),
  prev: phase("Phase left; null on entering the first.").nullable(),
  transition_reason: text("Why the phase changed."),
  phases_completed: phases("Phases gone through so far."),
  metadata: record("Notes that belong to the phase.").optional(),
});
export type WorkerPhase = z.infer<typeof WorkerPhase>;

export const WorkerHeartbeat = z.looseObject({
  current_phase: phase("Phase the worker is in."),
  time_in_phase_ms: amount("Time spent in it."),
  tokens_used: amount("Tokens used since boot."),
  cost_usd: amount("Cost since boot in US dollars."),
  cost_estimated: flag(ESTIMATED).optional(),
  last_event_id: z.uuid().nullable().optional().describe("Id of the latest event this worker published."),
  active_sub_workers: texts("Peer ids of workers it spawned that still run.").optional(),
  severity: z.enum(SEVERITIES).optional().describe("Set to fatal on the last heartbeat before going down."),
  message: anyText("Parting words of a worker that goes down.").optional(),
  kind: z.enum(HEARTBEAT_KINDS).optional().describe("What the heartbeat reports besides being alive."),
  summary: anyText("State of the work in a line.").optional(),
  current_action: anyText("What the worker is doing now.").optional(),
  permission_mode: anyText("What its agent reports that it may do, in the agent's own words.").optional(),
  approach_detail: texts("Steps of the approach taken.").optional(),
  error_detail: anyText("What went wrong.").optional(),
  correlation_id: requestId("Groups the heartbeat with related events.").optional(),
  captured_at: timestamp("When the figures were taken.").optional(),
  duration_ms: amount("Time since boot.").optional(),
  tokens_in: amount("Tokens read, from a cache too.").optional(),
  cache_read_tokens: amount("Tokens of those read that came from a cache.").optional(),
  cache_write_tokens: amount("Tokens of those read that went into a cache.").optional(),
  tokens_out: amount("Tokens written.").optional(),
  unknown_calls: amount(UNKNOWN_CALLS).optional(),
  unpriced_models: texts("Models it used whose price is not known.").optional(),
  model: text("Model the agent runs on, once it said so.").optional(),
  total_cost_usd: amount("Cost of the whole mission in US dollars.").optional(),
  total_duration_ms: amount("Time of the whole mission.").optional(),
  total_tool_calls: amount("Tool calls of the whole mission.").optional(),
});
export type WorkerHeartbeat = z.infer<typeof WorkerHeartbeat>;

export const WorkerComplete = z.looseObject({
  result: z.enum(WORKER_RESULTS).describe("How the mission ended."),
  summary: text("What was done, in a line."),
  artifacts: list(Artifact, "Files handed over."),
  phases_completed: phases("Phases gone through."),
  total_tokens: amount("Tokens used in all.").optional(),
  total_cost_usd: amount("Cost in all in US dollars.").optional(),
  cost_estimated: flag(ESTIMATED).optional(),
  unknown_calls: amount(UNKNOWN_CALLS).optional(),
  duration_ms: amount("Time from boot to completion.").optional(),
});
export type WorkerComplete = z.infer<typeof WorkerComplete>;

/** What a worker's process noticed of its agent. Facts that come often are told at most every few seconds. */
export const WorkerSignal = z.looseObject({
  signal: z.enum(WORKER_SIGNALS).describe("What was noticed."),
  source: z.enum(STATE_SOURCES).describe("Where."),
  detail: anyText("More of it, for people.").optional(),
  until: timestamp("When it is expected to be over, as far as the agent said.").nullable().optional(),
  pty_offset: whole("Place in the terminal's output.").optional(),
  at: timestamp("When it was noticed.").optional(),
});
export type WorkerSignal = z.infer<typeof WorkerSignal>;

/** The fact that proves a step of a command. */
export const Evidence = z
  .looseObject({
    kind: z.enum(EVIDENCE_KINDS).describe("What sort of fact it is."),
    value: z.union([z.string(), z.number()]).describe("A sequence, an offset, the name of a signal."),
  })
  .describe("What shows it.");
export type Evidence = z.infer<typeof Evidence>;

export const WorkerCommandStep = z.looseObject({
  command_id: text("Id of the command's own event."),
  step: z.enum(COMMAND_STEPS).describe("How far it has come."),
  route: z.enum(COMMAND_ROUTES).describe("Which way it takes."),
  evidence: Evidence,
  reason: anyText("Why it was refused.").optional(),
});
export type WorkerCommandStep = z.infer<typeof WorkerCommandStep>;

export const WORKER_EVENTS = [
  wrappedEvent({
    address: "worker.{peerId}.boot",
    name: "worker-boot-v1",
    schema: WorkerBoot,
    summary: "The worker is up and ready for its mission; once per lifetime.",
  }),
  wrappedEvent({
    address: "worker.{peerId}.phase",
    name: "worker-phase-v1",
    schema: WorkerPhase,
    summary: "The worker entered another phase.",
  }),
  wrappedEvent({
    address: "worker.{peerId}.event",
    name: "worker-event-v1",
    schema: WorkerEvent,
    summary: "A checkpoint within a phase; kind says which.",
  }),
  wrappedEvent({
    address: "worker.{peerId}.heartbeat",
    name: "worker-heartbeat-v1",
    schema: WorkerHeartbeat,
    summary: "The worker is alive; every 10 seconds while its phase is not terminal.",
  }),
  wrappedEvent({
    address: "worker.{peerId}.complete",
    name: "worker-complete-v1",
    schema: WorkerComplete,
    summary: "The mission has ended; once, before disconnecting.",
  }),
  wrappedEvent({
    address: "worker.{peerId}.signal",
    name: "worker-signal-v1",
    schema: WorkerSignal,
    summary: "Something was noticed of the worker's agent.",
  }),
  wrappedEvent({
    address: "worker.{peerId}.command",
    name: "worker-command-v1",
    schema: WorkerCommandStep,
    summary: "A command came one step further in the worker.",
  }),
] as const;
