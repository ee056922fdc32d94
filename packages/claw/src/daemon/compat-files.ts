import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "@claw/contract";
import type { EventLog, StoredEvent } from "../bus/index.ts";
import type { FileSystem } from "../files/index.ts";
import { errnoOf, PRIVATE_FOLDER, withFileErrors } from "../files/index.ts";
import type { Tee } from "./tee.ts";
import { openTee } from "./tee.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/** An event as the older sidecar wrote it down for those who look for it there. */
function sidecarLine({ topic, from, tsServer, payload, sequence }: StoredEvent): string {
  const body = payload === undefined ? "" : `,"payload":${payload}`;
  const head = `{"type":"event","push":"message","protocol":"claws/2","topic":${JSON.stringify(topic)}`;
  const sender = `,"from":${JSON.stringify(from)}${body}`;
  return `${head}${sender},"sentAt":${Date.parse(tsServer) || 0},"recvTs":"${tsServer}","sequence":${sequence}}\n`;
}

/** Where older tools look for the log. What is there already is left as it is. */
function linkLog(fs: FileSystem, { folder }: WorkspaceFiles): void {
  const events = join(folder, "events");
  withFileErrors("create", events, () => {
    fs.mkdirSync(events, { recursive: true, mode: PRIVATE_FOLDER });
    try {
      symlinkSync(join("..", "log"), join(events, "default"));
    } catch (error) {
      if (errnoOf(error) !== "EEXIST") throw error;
    }
  });
}

export interface CompatOptions {
  readonly log: EventLog;
  readonly files: WorkspaceFiles;
  readonly report: (problem: string) => void;
}

/** Offers what older tools read beside the wire: `events/default` is the log, `events.log` its last events. */
export function openCompatFiles(fs: FileSystem, { log, files, report }: CompatOptions): Tee {
  linkLog(fs, files);
  return openTee(fs, {
    log,
    path: files.sidecarLog,
    print: sidecarLine,
    maxBytes: LIMITS.sidecarLogBytes,
    failed: (error) => report(`the copy in ${files.sidecarLog} is behind: ${String(error)}`),
  });
}
