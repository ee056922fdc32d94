import { hostname } from "node:os";
import { LIMITS } from "claw-contract";
import type { ProcessIdentity } from "claw-contract";
import { readSmallFile } from "../../files/index.ts";
import { identifySelf, isRunning } from "../../process/index.ts";
import { isOwnFile } from "./own-folder.ts";
import type { TookOver } from "./take-over/take-over.ts";
import { workspaceFiles } from "./workspace-files.ts";

/** The content of `daemon.json`, by which other processes find a running daemon. */
export interface DaemonRecord extends ProcessIdentity {
  readonly socket: string;
  readonly http: string | null;
  readonly token: string | null;
  readonly durability: "strict" | "relaxed";
  /** The daemon's place in a cluster; absent without one. */
  readonly cluster?: DaemonCluster;
  readonly policy: "strict" | "compat";
  readonly started_at: string;
  /** Version of claw that runs as the daemon; 0.1.0 names none. */
  readonly version?: string;
  /** History and mission that this start took over from claws 0.8. */
  readonly took_over?: TookOver;
  /** The flags that decide how it runs, as they were given; a daemon of an older version names none. */
  readonly flags?: DaemonFlags;
}

/** A daemon's place in a cluster, and the reason for its durability. */
export interface DaemonCluster {
  readonly name: string;
  readonly machine: string;
  readonly durability_reason: string;
}

/** Options of a daemon's start, by their names in `up`. Paths are absolute. */
export type DaemonFlags = Readonly<Record<string, string | number | boolean | undefined>>;

/** The version of claw that runs as a daemon. */
export const releaseOf = ({ version }: Pick<DaemonRecord, "version">): string => version ?? "0.1.0";

function parse(text: string): DaemonRecord | undefined {
  try {
    const record = JSON.parse(text) as DaemonRecord | null;
    return typeof record?.pid === "number" && typeof record.socket === "string" ? record : undefined;
  } catch {
    // Half a record is the record of a daemon that died while it started.
    return undefined;
  }
}

/**
 * Whether a process of this machine wrote the record, as far as this machine can tell. A record in a folder copied from
 * another user could otherwise make claw stop any process, or show any file as a token.
 */
function isFromHere({ host, started, boot }: DaemonRecord): boolean {
  const self = identifySelf();
  const isKnown = (own: string | null, other: unknown): boolean => own === null || typeof other === "string";
  return host === hostname() && isKnown(self.started, started) && isKnown(self.boot, boot);
}

/** The daemon that runs for a folder; undefined when none of this user does. Never throws. */
export function findDaemon(cwd: string): DaemonRecord | undefined {
  const files = workspaceFiles(cwd);
  if (!isOwnFile(files.folder, files.record)) return undefined;
  const file = readSmallFile(files.record, LIMITS.settingsBytes);
  const record = file.kind === "text" ? parse(file.text) : undefined;
  if (record === undefined || !isFromHere(record) || !isRunning(record)) return undefined;
  return { ...record, token: record.token === null ? null : files.token };
}
