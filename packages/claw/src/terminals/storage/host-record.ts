import { lstatSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { LIMITS, VERSIONS } from "claw-contract";
import type { ProcessIdentity, VersionRange } from "claw-contract";
import { errnoOf, nodeFileSystem, readJsonFile, writeFileAtomically } from "../../files/index.ts";
import { identifySelf, isRunning } from "../../process/index.ts";
import { readHostToken } from "./host-token.ts";

/** The file by which other processes find the terminal host. */
export interface HostRecord extends ProcessIdentity {
  readonly socket: string;
  readonly started_at: string;
  /** Path of the pty library that the host loaded. */
  readonly loaded_from: string;
  /** Versions of the protocol that the host speaks; version 1 when absent. */
  readonly versions?: VersionRange;
}

/** A running terminal host and its token; the token is null when this process cannot read one. */
export type RunningHost = HostRecord & { readonly token: string | null };

/** Log file of the host, in the host's folder. */
export const HOST_LOG = "terminals.log";

const recordPath = (folder: string): string => join(folder, "terminals.json");

export function writeHostRecord(folder: string, socket: string, loadedFrom: string): void {
  const started_at = new Date().toISOString();
  const versions = VERSIONS.terminalHost;
  const record: HostRecord = { ...identifySelf(), socket, started_at, loaded_from: loadedFrom, versions };
  writeFileAtomically(nodeFileSystem, recordPath(folder), `${JSON.stringify(record)}\n`);
}

export function removeHostRecord(folder: string): void {
  try {
    if (readHostRecord(folder)?.pid === process.pid) unlinkSync(recordPath(folder));
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
  }
}

/** A record of another user could make claw talk to a foreign socket, so it is ignored. */
function isOwn(path: string): boolean {
  try {
    const stats = lstatSync(path);
    return stats.isFile() && (process.getuid === undefined || stats.uid === process.getuid());
  } catch (error) {
    if (errnoOf(error) === undefined) throw error;
    return false;
  }
}

function readHostRecord(folder: string): HostRecord | undefined {
  const path = recordPath(folder);
  const record = isOwn(path) ? readJsonFile<HostRecord>(path, LIMITS.settingsBytes) : undefined;
  return typeof record?.pid === "number" && typeof record.socket === "string" ? (record as HostRecord) : undefined;
}

/** The terminal host that runs for a folder; undefined when none does. Never throws. */
export function findHost(folder: string): RunningHost | undefined {
  const record = readHostRecord(folder);
  if (record === undefined || record.host !== identifySelf().host) return undefined;
  return isRunning(record) ? { ...record, token: readHostToken(folder) } : undefined;
}

/** Whether the record in a folder belongs to this process. */
export const isOwnRecord = (folder: string): boolean => readHostRecord(folder)?.pid === process.pid;
