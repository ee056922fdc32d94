import { failure, precondition } from "./error-row.ts";

/** Errors of a cluster: NATS, streams, and machines. */
export const clusterErrors = {
  NATS_UNREACHABLE: failure("nats_unreachable", "Check that the server runs, and that its address is right.", {
    class: "delivery",
    exit: "UNAVAILABLE",
    retryable: true,
  }),
  NATS_REFUSED: failure("nats_refused", "Check the credentials of this machine, and what they permit.", {
    class: "auth",
    exit: "PERMISSION_DENIED",
  }),
  NATS_STREAM_UNFIT: precondition(
    "nats_stream_unfit",
    "Correct the field in the configuration of the stream, or name another cluster.",
    { class: "delivery", phase: "execution" },
  ),
  MACHINE_NAME_TAKEN: precondition("machine_name_taken", "Give this machine another name with --machine.", {
    class: "delivery",
    exit: "CONFLICT",
    phase: "execution",
  }),
  MACHINE_AWAY: failure(
    "machine_away",
    "List the machines with claw machines. Start the daemon of the machine with claw up, or try again later.",
    { class: "delivery", exit: "UNAVAILABLE", retryable: true },
  ),
  LOG_MOVED: precondition(
    "log_moved",
    "Start the daemon where the log is now, or move the log back with claw bus migrate; see docs/scale.md, Moving a log.",
    { class: "delivery", exit: "CONFLICT", phase: "execution" },
  ),
  LOG_NOT_MOVED: precondition(
    "log_not_moved",
    "Take a new folder, or a new cluster into which claw bus migrate moves the log. Or leave the old log: claw up --leave-log, and forget its cursors.",
    { class: "delivery", exit: "CONFLICT", phase: "execution" },
  ),
  LOG_NOT_FOUND: precondition(
    "log_not_found",
    "Check the folder, the address and the name of the cluster: there is no log to move.",
    { class: "delivery", exit: "NOT_FOUND" },
  ),
  MIGRATION_UNFINISHED: precondition(
    "migration_unfinished",
    "Call the same claw bus migrate again on that machine: it goes on where it stopped.",
    { class: "delivery", exit: "CONFLICT", phase: "execution" },
  ),
  MIGRATION_TARGET_USED: precondition(
    "migration_target_used",
    "Name another cluster, which has no events yet: the events of two logs cannot stand in one.",
    { class: "delivery", exit: "CONFLICT", phase: "execution" },
  ),
  MIGRATION_MISMATCH: failure(
    "migration_mismatch",
    "Nothing was taken into use, and the old log is as it was. Remove the copy that the message names, then call again.",
    { class: "delivery" },
  ),
  CLUSTER_RUNNING: precondition(
    "cluster_running",
    "Stop the daemons of the cluster first: claw down on each machine that claw machines lists.",
    { class: "delivery", exit: "CONFLICT", phase: "execution" },
  ),
  NATS_STREAM_REPLACED: failure(
    "nats_stream_replaced",
    "Start the daemon again, with claw up: it reads the stream anew, under a new epoch.",
    { class: "delivery", exit: "UNAVAILABLE", retryable: true },
  ),
} as const;
