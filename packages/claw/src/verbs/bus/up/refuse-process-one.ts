import { ClawError } from "claw-contract";

/**
 * Throws DAEMON_FAILED for process 1 of a container. Processes whose parents have ended become its children, and Node
 * never asks for their end: they would stay as zombies, until the container can start no more processes.
 */
export function refuseProcessOne(pid: number = process.pid): void {
  if (pid !== 1) return;
  throw new ClawError("DAEMON_FAILED", "the daemon would be process 1 of this container, which Node cannot be", {
    operation: "start_daemon",
    target: "process 1",
    hint: "Start it through an init: docker run --init, or bin/init.sh of this package.",
  });
}
