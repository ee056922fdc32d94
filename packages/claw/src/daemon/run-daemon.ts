import { existsSync, unlinkSync } from "node:fs";
import { ClawError, LIMITS } from "@claw/contract";
import type { Bus, EventLog, HttpTransport, TokenStore, Transport } from "../bus/index.ts";
import {
  createBus,
  createUnixTransport,
  openDurableStore,
  openSegmentLog,
  openSignedHello,
  openSnapshotStore,
  openTokenStore,
} from "../bus/index.ts";
import type { FileLock, FileSystem } from "../files/index.ts";
import {
  acquireLock,
  errnoOf,
  nodeFileSystem,
  PRIVATE_FOLDER,
  withFileErrors,
  writeFileAtomically,
} from "../files/index.ts";
import { identifySelf } from "../process/index.ts";
import type { DaemonOptions } from "./daemon-options.ts";
import type { DaemonRecord } from "./daemon-record.ts";
import type { DaemonReport } from "./daemon-report.ts";
import { openReport } from "./daemon-report.ts";
import { checkSocketPath, httpTransport } from "./listen.ts";
import type { Counters } from "./persistent-counters.ts";
import { openCounters } from "./persistent-counters.ts";
import type { Tee } from "./tee.ts";
import { openTee } from "./tee.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";
import { workspaceFiles } from "./workspace-files.ts";

const fs: FileSystem = nodeFileSystem;

/** How often time is looked at: for silences, deadlines and redeliveries. */
const TICK_MS = 250;

/** A daemon that runs. */
export interface RunningDaemon {
  readonly record: DaemonRecord;
  /** Ends it in order: nobody new, everything acknowledged on disk, nothing left behind. Idempotent. */
  stop(): Promise<void>;
}

async function takeWorkspace(files: WorkspaceFiles, signal: AbortSignal): Promise<FileLock> {
  withFileErrors("create", files.folder, () => fs.mkdirSync(files.folder, { recursive: true, mode: PRIVATE_FOLDER }));
  const attempt = await acquireLock(fs, { path: files.lock, waitMs: 0 }, signal);
  if (attempt.kind === "acquired") return attempt.lock;
  throw new ClawError("DAEMON_RUNNING", `process ${attempt.owner?.pid ?? "?"} is the daemon of this folder`, {
    operation: "start_daemon",
    target: files.folder,
    details: { pid: attempt.owner?.pid ?? null },
  });
}

interface Parts {
  readonly log: EventLog;
  readonly bus: Bus;
  readonly tokens: TokenStore;
  readonly counters: Counters;
  readonly tee: Tee | undefined;
}

function createParts(options: DaemonOptions, files: WorkspaceFiles, report: DaemonReport): Parts {
  const { durability, policy } = options;
  const limits = { segmentBytes: LIMITS.logSegmentBytes, retainBytes: LIMITS.logBytes, retainMs: LIMITS.logMs };
  const mayRemove = (through: number): boolean => bus.covers(through);
  const log = openSegmentLog(fs, { directory: files.log, durability, ...limits, mayRemove });
  const tokens = openTokenStore(fs, files.folder, Date.now);
  const tell = (text: string): void => report.write("problem", { text });
  const counters = openCounters(fs, files.counters, tell);
  const bus: Bus = createBus({
    log,
    tokens,
    policy,
    now: Date.now,
    ids: { nextPeer: () => counters.next("peer"), nextSubscription: () => counters.next("subscription") },
    publishRate: options.rateLimit,
    access: {
      requireToken: options.requireToken,
      ...(existsSync(files.helloSecret) ? { signedHello: openSignedHello(files.helloSecret, Date.now) } : {}),
    },
    ...(options.budgetUsd === undefined ? {} : { budget: budgetLimits(options.budgetUsd) }),
    durables: openDurableStore(files.durables),
    snapshotStore: openSnapshotStore(fs, files.snapshots),
    about: {
      version: options.version,
      durability,
      servers: [{ workspace: options.cwd, socket: options.socket ?? files.socket }],
    },
    report: tell,
  });
  const tee = options.tee ? openTee(fs, log, files.tee, (error) => tell(`tee: ${String(error)}`)) : undefined;
  return { log, bus, tokens, counters, tee };
}

/** Warnings come at half, at four fifths, and when it is spent. */
const budgetLimits = (capUsd: number): { capUsd: number; thresholdsUsd: number[] } => ({
  capUsd,
  thresholdsUsd: [0.5 * capUsd, 0.8 * capUsd, capUsd],
});

/** A token for an orchestrator, in a private file, wherever one has to be shown. */
function storeToken(options: DaemonOptions, files: WorkspaceFiles, tokens: TokenStore): string | null {
  const asked = options.http !== undefined || options.requireToken || existsSync(files.helloSecret);
  if (!asked) return null;
  writeFileAtomically(fs, files.token, `${tokens.mint({ role: "orchestrator" })}\n`);
  return files.token;
}

interface Listening {
  readonly transports: readonly Transport[];
  readonly http: HttpTransport | undefined;
}

async function listen(options: DaemonOptions, files: WorkspaceFiles, bus: Bus): Promise<Listening> {
  const http = httpTransport(options);
  const unix = createUnixTransport(checkSocketPath(options.socket ?? files.socket));
  await unix.listen(bus.accept);
  try {
    await http?.listen(bus.accept);
  } catch (error) {
    await unix.close();
    throw error;
  }
  return { http, transports: http === undefined ? [unix] : [http, unix] };
}

function removeRecord(files: WorkspaceFiles): void {
  try {
    unlinkSync(files.record);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
  }
}

/** Opens the log, rebuilds what it tells, and lets clients in. Throws when another daemon has the folder. */
export async function startDaemon(options: DaemonOptions, signal: AbortSignal): Promise<RunningDaemon> {
  const files = workspaceFiles(options.cwd);
  const lock = await takeWorkspace(files, signal);
  try {
    return await serve(options, files, lock);
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function serve(options: DaemonOptions, files: WorkspaceFiles, lock: FileLock): Promise<RunningDaemon> {
  const report = openReport(files.report, Date.now);
  const parts = createParts(options, files, report);
  try {
    await parts.bus.restore();
    parts.counters.startAfter("peer", parts.bus.context.state.presence.highest());
    parts.counters.startAfter("subscription", 0);
    const { http, transports } = await listen(options, files, parts.bus);
    const record: DaemonRecord = {
      ...identifySelf(),
      socket: options.socket ?? files.socket,
      http: http?.address().url ?? null,
      token: storeToken(options, files, parts.tokens),
      durability: options.durability,
      policy: options.policy,
      started_at: new Date().toISOString(),
    };
    writeFileAtomically(fs, files.record, `${JSON.stringify(record)}\n`);
    report.write("started", { ...record });
    const timer = setInterval(() => tick(parts), TICK_MS);
    return { record, stop: () => stop({ parts, transports, timer, lock, files, report }) };
  } catch (error) {
    await parts.log.close();
    throw error;
  }
}

function tick({ bus, tee }: Parts): void {
  bus.checkStale();
  bus.checkDue();
  tee?.wake();
}

interface Stopping {
  readonly parts: Parts;
  readonly transports: readonly Transport[];
  readonly timer: NodeJS.Timeout;
  readonly lock: FileLock;
  readonly files: WorkspaceFiles;
  readonly report: DaemonReport;
}

async function stop({ parts, transports, timer, lock, files, report }: Stopping): Promise<void> {
  clearInterval(timer);
  for (const transport of transports) await transport.close();
  await parts.tee?.close();
  await parts.log.close();
  await parts.bus.save();
  removeRecord(files);
  report.write("stopped");
  lock.release();
}
