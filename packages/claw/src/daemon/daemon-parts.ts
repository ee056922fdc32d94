import { existsSync } from "node:fs";
import { ClawError, LIMITS } from "@claw/contract";
import type { Bus, EventLog, TokenStore } from "../bus/index.ts";
import {
  createBus,
  openDurableStore,
  openSegmentLog,
  openSignedHello,
  openSnapshotStore,
  openTokenStore,
} from "../bus/index.ts";
import type { FileSystem } from "../files/index.ts";
import { openCompatFiles } from "./compat-files.ts";
import type { DaemonOptions } from "./daemon-options.ts";
import { isPrivate } from "./own-folder.ts";
import type { Counters } from "./persistent-counters.ts";
import { openCounters } from "./persistent-counters.ts";
import type { Tee } from "./tee.ts";
import { openTee } from "./tee.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/** What a daemon is made of, beside the ways in. */
export interface DaemonParts {
  readonly log: EventLog;
  readonly bus: Bus;
  readonly tokens: TokenStore;
  readonly counters: Counters;
  /** Copies of the log that were asked for. */
  readonly tees: readonly Tee[];
}

export interface PartsOptions {
  readonly options: DaemonOptions;
  readonly files: WorkspaceFiles;
  readonly report: (problem: string) => void;
}

/** Warnings come at half, at four fifths, and when it is spent. */
const budgetLimits = (capUsd: number): { capUsd: number; thresholdsUsd: number[] } => ({
  capUsd,
  thresholdsUsd: [0.5 * capUsd, 0.8 * capUsd, capUsd],
});

/** Whoever knows the secret that older clients sign with can be anybody, so it has to be private. */
function signedHello({ helloSecret }: WorkspaceFiles): { signedHello?: ReturnType<typeof openSignedHello> } {
  if (!existsSync(helloSecret)) return {};
  if (isPrivate(helloSecret)) return { signedHello: openSignedHello(helloSecret, Date.now) };
  throw new ClawError("FILE_ACCESS_DENIED", `${helloSecret} can be read by others`, {
    operation: "open",
    target: helloSecret,
    hint: `Make it private if nobody else knows it: chmod 600 ${helloSecret}. Otherwise put another secret there first.`,
  });
}

function openLog(fs: FileSystem, { options, files }: PartsOptions, counters: Counters, bus: () => Bus): EventLog {
  return openSegmentLog(fs, {
    directory: files.log,
    durability: options.durability,
    segmentBytes: LIMITS.logSegmentBytes,
    retainBytes: LIMITS.logBytes,
    retainMs: LIMITS.logMs,
    mayRemove: (through) => bus().covers(through),
    epochs: { last: () => counters.kept("epoch"), keep: (epoch) => counters.keep("epoch", epoch) },
  });
}

/** Opens everything a daemon keeps, and the bus on it. Nothing is known and nobody let in yet. */
export function openParts(fs: FileSystem, request: PartsOptions): DaemonParts {
  const { options, files, report } = request;
  const access = { requireToken: options.requireToken, ...signedHello(files) };
  const counters = openCounters(fs, files.counters, report);
  const log = openLog(fs, request, counters, () => bus);
  const tokens = openTokenStore(fs, files.folder, Date.now, report);
  const bus: Bus = createBus({
    log,
    tokens,
    access,
    report,
    policy: options.policy,
    now: Date.now,
    ids: { nextPeer: () => counters.next("peer"), nextSubscription: () => counters.next("subscription") },
    publishRate: options.rateLimit,
    ...(options.budgetUsd === undefined ? {} : { budget: budgetLimits(options.budgetUsd) }),
    durables: openDurableStore(files.durables, report),
    snapshotStore: openSnapshotStore(fs, files.snapshots),
    about: {
      version: options.version,
      durability: options.durability,
      servers: [{ workspace: options.cwd, socket: options.socket ?? files.socket }],
    },
  });
  return { log, bus, tokens, counters, tees: openTees(fs, request, log) };
}

function openTees(fs: FileSystem, { options, files, report }: PartsOptions, log: EventLog): Tee[] {
  const failed = (error: unknown): void => report(`the copy in ${files.tee} is behind: ${String(error)}`);
  return [
    ...(options.tee ? [openTee(fs, { log, path: files.tee, failed })] : []),
    ...(options.policy === "compat" ? [openCompatFiles(fs, { log, files, report })] : []),
  ];
}
