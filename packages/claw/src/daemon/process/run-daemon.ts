import { existsSync, realpathSync } from "node:fs";
import type { ClawError } from "claw-contract";
import type { Bus } from "../../bus/index.ts";
import type { Joining, Membership } from "../cluster/join-cluster.ts";
import { joinCluster } from "../cluster/join-cluster.ts";
import type { FileLock, FileSystem } from "../../files/index.ts";
import { nodeFileSystem, withFileErrors, writeFileAtomically, fileModes } from "../../files/index.ts";
import { identifySelf } from "../../process/index.ts";
import type { DaemonOptions } from "./daemon-options.ts";
import type { DaemonParts } from "./daemon-parts.ts";
import { openParts } from "./daemon-parts.ts";
import type { DaemonRecord } from "./daemon-record.ts";
import type { DaemonReport } from "./daemon-report.ts";
import { openReport } from "./daemon-report.ts";
import { folderEpochs } from "./folder-epochs.ts";
import { requireFormat } from "./folder-format.ts";
import { requireOwnLog } from "../migration/folder-mark.ts";
import type { LateDoor } from "../page/late-door.ts";
import { createLateDoor } from "../page/late-door.ts";
import { keepRunning } from "./keep-running.ts";
import type { Doors } from "./doors.ts";
import { createDoors } from "./doors.ts";
import { openFolder, removeExposed } from "./own-folder.ts";
import { createOwnFileSystem } from "./own-file-system.ts";
import type { DaemonFiles } from "./place.ts";
import type { Counters } from "./persistent-counters.ts";
import { openCounters } from "./persistent-counters.ts";
import { openPlace } from "./place.ts";
import { takeWorkspace } from "./take-workspace.ts";
import type { TookOver } from "./take-over/take-over.ts";
import { takeOverWorkspace } from "./take-over/take-over.ts";
import type { TokenFile } from "./token-file.ts";
import { openTokenFile } from "./token-file.ts";
import { touching } from "./touching.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";
import { workspaceFiles } from "./workspace-files.ts";

export interface RunningDaemon {
  readonly record: DaemonRecord;
  /**
   * Resolves with the reason when the daemon cannot go on: a file it depends on is gone or belongs to another daemon.
   */
  readonly lost: Promise<ClawError>;
  /**
   * Ends the daemon in order: lets no client in, has every acknowledged event on disk, removes its socket and its
   * record. Idempotent.
   */
  stop(): Promise<void>;
}

/** Resources a daemon holds from its start to its end. */
export interface Hold {
  readonly options: DaemonOptions;
  readonly files: WorkspaceFiles;
  readonly lock: FileLock;
  readonly place: DaemonFiles;
  readonly fs: FileSystem;
  readonly report: DaemonReport;
  readonly doors: Doors;
  /** The place of the page in the servers behind the doors. */
  readonly page: LateDoor;
  readonly tell: (problem: string) => void;
}

/** Writes a token file when clients have to show a token. */
function openToken({ options, files, fs, tell }: Hold, { tokens }: DaemonParts): TokenFile | undefined {
  const asked = options.http !== undefined || options.requireToken || existsSync(files.helloSecret);
  return asked ? openTokenFile(fs, { path: files.token, tokens, now: Date.now, report: tell }) : undefined;
}

/** Says whose secrets the private folder holds, where the socket is that agents' commands must not see, and the flags. */
function writeOwner({ options, files, fs }: Hold): void {
  const { flags = {} } = options;
  const owner = { workspace: realpathSync(options.cwd), socket: options.socket ?? files.socket, flags };
  withFileErrors("save", files.owner, () => writeFileAtomically(fs, files.owner, `${JSON.stringify(owner)}\n`));
}

/** What a start found out. */
interface Found {
  readonly membership: Membership | undefined;
  readonly token: TokenFile | undefined;
  readonly tookOver: TookOver | undefined;
}

function clusterIn(
  { cluster }: DaemonOptions,
  membership: Membership | undefined,
): Pick<DaemonRecord, "cluster"> | undefined {
  if (cluster === undefined || membership === undefined) return undefined;
  const { cluster: name, machine } = cluster;
  return { cluster: { name, machine, durability_reason: membership.durabilityReason } };
}

/**
 * Writes the record, which says that the daemon is up. The daemon's own log gets its line before: a process that finds
 * the record finds a complete start.
 */
function writeRecord({ options, files, fs, doors, report }: Hold, found: Found): DaemonRecord {
  const { token, tookOver, membership } = found;
  const record: DaemonRecord = {
    ...identifySelf(),
    socket: options.socket ?? files.socket,
    http: doors.url(),
    token: token === undefined ? null : files.token,
    durability: membership?.durability ?? options.durability,
    ...clusterIn(options, membership),
    policy: options.policy,
    started_at: new Date().toISOString(),
    version: options.version,
    ...(tookOver === undefined ? {} : { took_over: tookOver }),
    ...(options.flags === undefined ? {} : { flags: options.flags }),
  };
  report.write("started", { ...record });
  withFileErrors("save", files.record, () => writeFileAtomically(fs, files.record, `${JSON.stringify(record)}\n`));
  return record;
}

/** Joins the cluster, when the daemon is to be in one. */
function join(
  { options: { cluster }, fs, files, tell }: Hold,
  counters: Counters,
  more: Pick<Joining, "fence" | "touch">,
): Promise<Membership | undefined> {
  const used = {
    peer: counters.kept("peer"),
    subscription: counters.kept("subscription"),
    terminal: counters.kept("terminal"),
  };
  return cluster === undefined
    ? Promise.resolve(undefined)
    : joinCluster(cluster, { fs, files, report: tell, used, epochs: folderEpochs(counters, { fs, files }), ...more });
}

async function serve(hold: Hold, umask: number): Promise<RunningDaemon> {
  const { options, files, fs, doors, report, tell } = hold;
  writeOwner(hold);
  for (const path of removeExposed(files)) tell(`${path} was removed: agents could read it, and its tokens end`);
  const touched = { now: () => undefined as void };
  const counters = openCounters(fs, files.counters, tell);
  const known: { fence?: Bus["host"]["fence"] } = {};
  const membership = await join(hold, counters, { fence: () => known.fence, touch: () => touched.now() });
  const parts = openParts(fs, { options, files, report: tell, touched, umask, counters, membership });
  known.fence = parts.bus.host.fence;
  try {
    const { log } = parts;
    const tookOver =
      membership === undefined
        ? await takeOverWorkspace({ folder: files.folder, log, counters, now: Date.now })
        : undefined;
    if (tookOver !== undefined) report.write("took over", { ...tookOver });
    await parts.terminals.reattach();
    await parts.bus.restore();
    const highest = parts.bus.highestNumbers();
    await membership?.numbers.startAfter(highest);
    counters.startAfter("peer", highest.peer);
    counters.startAfter("subscription", 0);
    counters.startAfter("terminal", highest.terminal);
    await parts.terminals.follow();
    const token = openToken(hold, parts);
    const accept = touching(parts.bus.accept, () => touched.now());
    hold.page.set(parts.pages.door);
    await doors.open(accept, parts.tokens);
    await parts.pages.begin({ accept, own: doors.http() });
    const record = writeRecord(hold, { token, tookOver, membership });
    return { record, ...keepRunning({ hold, parts, token, touched }) };
  } catch (error) {
    await Promise.all([doors.close(), parts.pages.close()]);
    await parts.lifetime.end();
    parts.terminals.detach();
    await parts.log.close();
    await membership?.leave();
    throw error;
  }
}

/** Opens the log, rebuilds the state from the log, and lets clients in. Throws when another daemon has the folder. */
export async function startDaemon(options: DaemonOptions, signal: AbortSignal): Promise<RunningDaemon> {
  // The daemon's files are private, whatever umask the user has.
  const umask = fileModes.setMask(0o077);
  const files = workspaceFiles(options.cwd);
  const socket = options.socket ?? files.socket;
  const tell = (problem: string): void => report?.write("problem", { text: problem });
  const page = createLateDoor();
  const doors = createDoors(options, socket, { report: tell, page: page.door });
  requireFormat(options.cwd);
  openFolder(files);
  const lock = await takeWorkspace(options.cwd, files, signal);
  let report: DaemonReport | undefined;
  let place: DaemonFiles | undefined;
  const isOwn = (): boolean => place?.isOwn() === true;
  try {
    if (options.cluster === undefined) requireOwnLog(files);
    place = openPlace(files, socket, options.cluster === undefined);
    report = openReport(files.report, Date.now, isOwn);
    const fs = createOwnFileSystem(nodeFileSystem, isOwn);
    return await serve({ options, files, lock, place, fs, report, doors, page, tell }, umask);
  } catch (error) {
    report?.write("failed", { text: String(error) });
    report?.close();
    place?.close();
    lock.release();
    throw error;
  }
}
