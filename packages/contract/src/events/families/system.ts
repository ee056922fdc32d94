import * as z from "zod";
import { bareEvent } from "../event-row.ts";
import { BUDGET_SCOPES, COMMAND_ROUTES, EVIDENCE_KINDS } from "../../workers/worker-words.ts";
import { amount, anyText, flag, role, text, timestamp, whole } from "../fields.ts";

export const LEAVE_REASONS = ["clean", "crash", "timeout"] as const;

/** How far a command has come; the last two are where it may end instead. */
export const COMMAND_STEPS = [
  "accepted",
  "queued",
  "injected",
  "submitted",
  "acked",
  "applied",
  "expired",
  "refused",
] as const;
export type CommandStep = (typeof COMMAND_STEPS)[number];

const peerId = text("The peer this is about.");

export const SystemPeerJoined = z.looseObject({
  peerId,
  role: role("Role it took."),
  peerName: text("Its name for people."),
  ts: timestamp("When it joined."),
});
export const SystemPeerConnected = z.looseObject({
  peer_id: peerId,
  correlation_id: text("What it was started under."),
  peer_name: text("Its name for people."),
  role: role("Role it took."),
  ts: timestamp("When it joined."),
});
export const SystemPeerLeft = z.looseObject({
  peerId,
  role: role("Role it had."),
  reason: z.enum(LEAVE_REASONS).describe("How it left."),
});
export const SystemPeerStale = z.looseObject({
  peerId,
  last_seen: amount("When it was last heard of, in milliseconds since 1970."),
  missed_heartbeats: amount("Heartbeats that did not come."),
});
export const SystemGateFired = z.looseObject({
  tool: text("What was attempted."),
  reason: text("Why it was stopped."),
  peerId: text("Who attempted it."),
  topic: text("Topic of the event that was held up, where it was one.").optional(),
});
export const SystemBudgetWarning = z.looseObject({
  current_usd: amount("Spent so far in US dollars."),
  threshold_usd: amount("Threshold that was crossed; 0 for one in tokens."),
  scope: z.enum(BUDGET_SCOPES).optional().describe("What the limit is for; the workspace if it is not said."),
  id: text("Worker, run, fleet or day it is for.").nullable().optional(),
  unit: z.enum(["usd", "tokens"]).optional().describe("What is counted; dollars if it is not said."),
  spent: amount("Spent so far, in that unit.").optional(),
  threshold: amount("Threshold that was crossed, in that unit.").optional(),
  limit: amount("The limit, in that unit.").optional(),
});
export const SystemMalformedReceived = z.looseObject({
  from: text("Peer that sent it."),
  topic: text("Topic it was sent to."),
  error: z.unknown().describe("What is wrong with it."),
});
export const SystemBroadcast = z.looseObject({
  text: text("What is said."),
  targetRole: text("In a cluster: the role of the peers that get it on each machine, or `all`.").optional(),
  inject: flag("In a cluster: whether it is typed into their terminals too.").optional(),
});
export const SystemCommand = z.looseObject({
  targetPeerId: text("Peer the command is for."),
  cmdTopic: text("Topic of the command."),
  from: text("Peer that gave it."),
  ts: timestamp("When it came this far."),
  idempotencyKey: text("Key it was delivered under.").optional(),
  commandId: text("Id of the command's own event.").optional(),
  sequence: whole("Sequence of the command.").optional(),
  route: z.enum(COMMAND_ROUTES).nullable().optional().describe("Which way it takes."),
  evidence: z
    .looseObject({ kind: z.enum(EVIDENCE_KINDS), value: z.union([z.string(), z.number()]) })
    .nullable()
    .optional()
    .describe("What shows that it came this far."),
  deadline: timestamp("When it expires, unless it comes further.").nullable().optional(),
  reason: text("Why it was refused or expired.").optional(),
});

/** What is typed may be typed already when the server comes back: who was told of its begin never types it again. */
export const SystemTypingBegun = z.looseObject({
  targetPeerId: text("Peer the command is for."),
  terminalId: text("Terminal it is typed into."),
  commandId: text("Id of the command's own event."),
  sequence: whole("Sequence of the command."),
  offset: whole("Place in the terminal's output before it was typed."),
  ts: timestamp("When."),
});

export const SystemHeartbeat = z.looseObject({
  uptimeMs: amount("How long the daemon has run, in milliseconds."),
  peers: whole("Peers that are connected."),
  terminals: whole("Terminals that are open."),
});

export const SystemMetrics = z.looseObject({
  publishRate_per_sec: amount("Events stored in a second, since the last time."),
  queueDepth: whole("Commands that wait for an earlier one about the same thing."),
  peerCount: whole("Peers that are connected."),
  eventLogLastSeq: whole("Sequence of the last event in the log."),
  uptimeMs: amount("How long the daemon has run, in milliseconds."),
  ts: timestamp("When."),
});

export const SystemPeerMetrics = z.looseObject({
  peerId: text("The peer this is about."),
  peerName: anyText("Its name."),
  droppedFrames: whole(
    "Notices that it missed since the last time because it did not keep up; events are never dropped.",
  ),
  rateLimitHits: whole("Events of it that were refused since the last time because it published too much."),
  publishCount: whole("Events of it that were let through since the last time."),
  ts: timestamp("When."),
});

/** What stands in the way may change often: it is told when it lasts, and not without end. */
export const SystemCommandHeld = z.looseObject({
  targetPeerId: text("Peer the command is for."),
  terminalId: text("Terminal it would be typed into."),
  commandId: text("Id of the command's own event."),
  sequence: whole("Sequence of the command."),
  reason: text("What stands in the way."),
  ts: timestamp("When."),
});

export const SystemLogHole = z.looseObject({ sequence: whole("Sequence of the event that is not there.") });

export const SYSTEM_EVENTS = [
  bareEvent({
    address: "system.peer.joined",
    name: "system-peer-joined-v1",
    schema: SystemPeerJoined,
    summary: "A peer completed hello.",
  }),
  bareEvent({
    address: "system.peer.connected",
    name: "system-peer-connected-v1",
    schema: SystemPeerConnected,
    summary: "A peer that was started under a correlation id completed hello.",
  }),
  bareEvent({
    address: "system.peer.left",
    name: "system-peer-left-v1",
    schema: SystemPeerLeft,
    summary: "A peer disconnected.",
  }),
  bareEvent({
    address: "system.peer.stale",
    name: "system-peer-stale-v1",
    schema: SystemPeerStale,
    summary: "Nothing was heard of a worker for more than 30 seconds.",
  }),
  bareEvent({
    address: "system.heartbeat",
    name: "system-heartbeat-v1",
    schema: SystemHeartbeat,
    summary: "The daemon lives. Pushed every minute to clients that count on it, and not stored.",
  }),
  bareEvent({
    address: "system.metrics",
    name: "system-metrics-v1",
    schema: SystemMetrics,
    summary: "How busy the bus is. Pushed with the heartbeat, and not stored.",
  }),
  bareEvent({
    address: "system.peer.metrics.{peerId}",
    name: "system-peer-metrics-v1",
    schema: SystemPeerMetrics,
    summary: "A peer publishes too much, or does not keep up. Pushed with the heartbeat, and not stored.",
  }),
  bareEvent({
    address: "system.gate.fired",
    name: "system-gate-fired-v1",
    schema: SystemGateFired,
    summary: "A gate stopped an action.",
  }),
  bareEvent({
    address: "system.budget.warning",
    name: "system-budget-warning-v1",
    schema: SystemBudgetWarning,
    summary: "What workers cost together crossed a threshold.",
  }),
  bareEvent({
    address: "system.malformed.received",
    name: "system-malformed-received-v1",
    schema: SystemMalformedReceived,
    summary: "An event did not fit its schema.",
  }),
  bareEvent({
    address: "system.broadcast",
    name: "system-broadcast-v1",
    schema: SystemBroadcast,
    summary: "An orchestrator said something to every peer of a role.",
  }),
  bareEvent({
    address: "system.command.held",
    name: "system-command-held-v1",
    schema: SystemCommandHeld,
    summary: "A command waits to be typed into the terminal of its worker, or to be entered there.",
  }),
  bareEvent({
    address: "system.command.{step}",
    name: "system-command-v1",
    schema: SystemCommand,
    summary: "A command came one step further to one peer.",
  }),
  bareEvent({
    address: "system.log.hole",
    name: "system-log-hole-v1",
    schema: SystemLogHole,
    summary: "Stands for an event that an older log could not read any more, when that log was moved.",
  }),
  bareEvent({
    address: "system.typing.begun",
    name: "system-typing-begun-v1",
    schema: SystemTypingBegun,
    summary: "A command is about to be typed into the terminal of its worker.",
  }),
] as const;
