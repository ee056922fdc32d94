export type { DaemonOptions } from "./daemon-options.ts";
export type { DaemonFlags, DaemonRecord } from "./daemon-record.ts";
export { findDaemon } from "./daemon-record.ts";
export type { RunningWorker } from "./running-workers.ts";
export { runningWorkers } from "./running-workers.ts";
export { spawnDaemon } from "./spawn-daemon.ts";
export { stopDaemon } from "./stop-daemon.ts";

/** The daemon itself, loaded only by the process that is one. */
export const loadDaemon = () => import("./run-daemon.ts");
