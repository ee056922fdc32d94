import type { LEAVE_REASONS } from "@claw/contract/schemas";
import type { WorkerRecord } from "./peer.ts";
import { hasEnded } from "./peer.ts";

type LeaveReason = (typeof LEAVE_REASONS)[number];

/** How somebody left: whose work is done, and whoever does none, leaves clean in any case. */
export function leaveReason(role: string, worker: WorkerRecord, otherwise: Exclude<LeaveReason, "clean">): LeaveReason {
  return role === "worker" && !hasEnded(worker) ? otherwise : "clean";
}
