import * as z from "zod";
import { eventRow } from "./event-row.ts";
import { amount, role, text, timestamp } from "./fields.ts";

export const LEAVE_REASONS = ["clean", "crash", "timeout"] as const;

const peerId = text("The peer this is about.");

export const SystemPeerJoined = z.looseObject({
  peerId,
  role: role("Role it took."),
  peerName: text("Its name for people."),
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
});
export const SystemBudgetWarning = z.looseObject({
  current_usd: amount("Spent so far in US dollars."),
  threshold_usd: amount("Threshold that was crossed."),
});
export const SystemMalformedReceived = z.looseObject({
  from: text("Peer that sent it."),
  topic: text("Topic it was sent to."),
  error: z.unknown().describe("What is wrong with it."),
});

const form = "bare";

export const SYSTEM_EVENTS = [
  eventRow({
    address: "system.peer.joined",
    name: "system-peer-joined-v1",
    schema: SystemPeerJoined,
    form,
    summary: "A peer completed hello.",
  }),
  eventRow({
    address: "system.peer.left",
    name: "system-peer-left-v1",
    schema: SystemPeerLeft,
    form,
    summary: "A peer disconnected.",
  }),
  eventRow({
    address: "system.peer.stale",
    name: "system-peer-stale-v1",
    schema: SystemPeerStale,
    form,
    summary: "Nothing was heard of a worker for more than 30 seconds.",
  }),
  eventRow({
    address: "system.gate.fired",
    name: "system-gate-fired-v1",
    schema: SystemGateFired,
    form,
    summary: "A gate stopped an action.",
  }),
  eventRow({
    address: "system.budget.warning",
    name: "system-budget-warning-v1",
    schema: SystemBudgetWarning,
    form,
    summary: "The cost of all active workers crossed a threshold.",
  }),
  eventRow({
    address: "system.malformed.received",
    name: "system-malformed-received-v1",
    schema: SystemMalformedReceived,
    form,
    summary: "An event did not fit its schema.",
  }),
] as const;
