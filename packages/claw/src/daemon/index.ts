export type { DaemonOptions } from "./daemon-options.ts";
export type { DaemonRecord } from "./daemon-record.ts";
export { findDaemon } from "./daemon-record.ts";
export { spawnDaemon } from "./spawn-daemon.ts";
export { stopDaemon } from "./stop-daemon.ts";

/** The daemon itself, loaded only by the process that is one. */
export const loadDaemon = () => import("./run-daemon.ts");
