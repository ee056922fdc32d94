export type { ReadTranscript } from "./workers/transcript-requests.ts";
export type { DaemonOptions } from "./process/daemon-options.ts";
export type { FaceKeys, LoadedFace } from "./process/face-mounts.ts";
export type { DaemonFlags, DaemonRecord } from "./process/daemon-record.ts";
export { findDaemon, releaseOf } from "./process/daemon-record.ts";
export { beginReplacement, endReplacement, flagsOfDaemon, unfinishedReplacement } from "./process/flag-file.ts";
export { requireFormat } from "./process/folder-format.ts";
export { requireSpokenTo } from "./workers/require-spoken-to.ts";
export type { WorkerWithProcess } from "./workers/running-workers.ts";
export { runningWorkers } from "./workers/running-workers.ts";
export { spawnDaemon } from "./process/spawn-daemon.ts";
export { stopDaemon } from "./process/stop-daemon.ts";

/** The daemon's code. Only the daemon process loads this module. */
export const loadDaemon = () => import("./process/run-daemon.ts");
export type { RunningDaemon } from "./process/run-daemon.ts";

/** The code that moves a log. Only `claw bus migrate` loads this module. */
export const loadMigration = () => import("./migration/doors.ts");
export type { MigrationStep, Moved } from "./migration/migration.ts";
