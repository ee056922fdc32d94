export type { DaemonOptions } from "./daemon-options.ts";
export type { DaemonFlags, DaemonRecord } from "./daemon-record.ts";
export { findDaemon } from "./daemon-record.ts";
export type { RunningWorker } from "./running-workers.ts";
export { runningWorkers } from "./running-workers.ts";
export { spawnDaemon } from "./spawn-daemon.ts";
export { stopDaemon } from "./stop-daemon.ts";

/** The daemon's code. Only the daemon process loads this module. */
export const loadDaemon = () => import("./run-daemon.ts");
