import type { LEAVE_REASONS } from "claw-contract/schemas";
import type { WorkerProgress } from "./peer.ts";
import { hasPeerEnded } from "./peer.ts";

type LeaveReason = (typeof LEAVE_REASONS)[number];

/** Why a peer left. A worker whose work has ended, and a peer that is no worker, leave `clean` in any case. */
export function leaveReason(
  role: string,
  worker: WorkerProgress,
  otherwise: Exclude<LeaveReason, "clean">,
): LeaveReason {
  return role === "worker" && !hasPeerEnded(worker) ? otherwise : "clean";
}
