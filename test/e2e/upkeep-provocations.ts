import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { clawsFile, startDaemon } from "./daemon-process.ts";
import { playDaemon } from "./fake-daemon.ts";
import type { Workspace } from "./workspace.ts";

/** Makes a running daemon one of a newer version. The record changes at once: a daemon without its record ends. */
export function putNewerVersion(workspace: Workspace): void {
  const path = clawsFile(workspace, "daemon.json");
  const record = JSON.parse(readFileSync(path, "utf8")) as object;
  writeFileSync(`${path}.new`, JSON.stringify({ ...record, version: "99.0.0" }));
  renameSync(`${path}.new`, path);
}

/** Calls that fail over versions and backups. */
export const UPKEEP_PROVOCATIONS = {
  PROTOCOL_MISMATCH: {
    prepare: async (workspace: Workspace) => {
      await playDaemon(workspace, () => ({ ok: false, error: "incompatible protocol version" }));
      return { args: ["peers"] };
    },
  },
  FORMAT_UNSUPPORTED: {
    prepare: (workspace: Workspace) => {
      mkdirSync(clawsFile(workspace, "log"), { recursive: true });
      writeFileSync(join(clawsFile(workspace, "log"), "meta.json"), '{"version":99,"epoch":"0001"}');
      return { args: ["up"] };
    },
  },
  DOWNGRADE_REFUSED: {
    prepare: async (workspace: Workspace) => {
      await startDaemon(workspace);
      putNewerVersion(workspace);
      return { args: ["up", "--replace"], daemon: true as const };
    },
  },
  BACKUP_NOT_FOUND: { prepare: () => ({ args: ["restore", "nowhere.tar.gz"] }) },
  BACKUP_INVALID: {
    prepare: ({ cwd }: Workspace) => {
      writeFileSync(join(cwd, "mine.tar.gz"), "no backup");
      return { args: ["restore", "mine.tar.gz"] };
    },
  },
} as const;
