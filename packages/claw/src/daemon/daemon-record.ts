import { LIMITS } from "@claw/contract";
import { readSmallFile } from "../files/index.ts";
import type { ProcessIdentity } from "../process/index.ts";
import { isRunning } from "../process/index.ts";
import { workspaceFiles } from "./workspace-files.ts";

/** What a running daemon writes down for those who look for it. */
export interface DaemonRecord extends ProcessIdentity {
  readonly socket: string;
  readonly http: string | null;
  readonly token: string | null;
  readonly durability: "strict" | "relaxed";
  readonly policy: "strict" | "compat";
  readonly started_at: string;
}

function parse(text: string): DaemonRecord | undefined {
  try {
    const record = JSON.parse(text) as DaemonRecord | null;
    return typeof record?.pid === "number" && typeof record.socket === "string" ? record : undefined;
  } catch {
    // Half a record is the record of a daemon that died while it started.
    return undefined;
  }
}

/** The daemon that runs for a folder; undefined when none does. Never throws. */
export function findDaemon(cwd: string): DaemonRecord | undefined {
  const file = readSmallFile(workspaceFiles(cwd).record, LIMITS.settingsBytes);
  const record = file.kind === "text" ? parse(file.text) : undefined;
  return record !== undefined && isRunning(record) ? record : undefined;
}
