import { existsSync } from "node:fs";
import { join } from "node:path";
import { ClawError, LIMITS } from "claw-contract";
import type { Accept, Bus, EventLog, TokenStore } from "../../bus/index.ts";
import {
  createBus,
  openDurableStore,
  openMomentStore,
  openSegmentLog,
  openSignedHello,
  openSnapshotStore,
  openTokenStore,
} from "../../bus/index.ts";
import type { Membership } from "../cluster/join-cluster.ts";
import type { FileSystem } from "../../files/index.ts";
import type { CompatFiles } from "../copies/compat-files.ts";
import { openCompatFiles } from "../copies/compat-files.ts";
import type { DaemonOptions } from "./daemon-options.ts";
import { folderEpochs } from "./folder-epochs.ts";
import type { Lifetime } from "./keep-running.ts";
import { createLifetime } from "./keep-running.ts";
import { isPrivate } from "./own-folder.ts";
import type { Counters } from "./persistent-counters.ts";
import { localDay, utcDay } from "../supervision/budgets/budget-memory.ts";
import { supervise } from "../supervision/supervise.ts";
import type { SuperviseOptions } from "../supervision/supervise-options.ts";
import { HostTerminals } from "../terminals/host-terminals.ts";
import { createPageExtension } from "../page/page-extension.ts";
import type { Pages } from "../page/pages.ts";
import { createPages } from "../page/pages.ts";
import type { Tee } from "../copies/tee.ts";
import { openTee } from "../copies/tee.ts";
import { touching } from "./touching.ts";
import { createWorkerDoors } from "../workers/worker-doors.ts";
import type { WorkspaceFiles } from "./workspace-files.ts";

/** The parts of a daemon, without the transports. */
export interface DaemonParts {
  readonly log: EventLog;
  readonly bus: Bus;
  readonly tokens: TokenStore;
  readonly counters: Counters;
  readonly terminals: HostTerminals;
  /** The page for browsers. */
  readonly pages: Pages;
  /** Copies of the log that were asked for. */
  readonly tees: readonly Tee[];
  /** Lifetime of the work that runs beside the bus. */
  readonly lifetime: Lifetime;
  /** Set when the log is shared with other machines. */
  readonly membership: Membership | undefined;
}

export interface PartsOptions {
  readonly counters: Counters;
  readonly membership: Membership | undefined;
  readonly options: DaemonOptions;
  readonly files: WorkspaceFiles;
  readonly report: (problem: string) => void;
  /** Tells the daemon's clock of activity: a frame, a connection, a change of a terminal. */
  readonly touched: { now: () => void };
  /** The umask of the process that started the daemon. */
  readonly umask: number;
}

/** The bus warns at half of the budget, at four fifths, and when the budget is spent. */
const budgetLimits = (capUsd: number): { capUsd: number; thresholdsUsd: number[] } => ({
  capUsd,
  thresholdsUsd: [0.5 * capUsd, 0.8 * capUsd, capUsd],
});

/**
 * The proof of identity that clients need. Older clients sign their hello with a secret. That secret is valid for every
 * peer, so its file has to be private. Only the policy `compat` accepts signed hellos; under `strict`, the presence of
 * the secret makes tokens required.
 */
function accessOf(
  { requireToken, policy }: DaemonOptions,
  { helloSecret }: WorkspaceFiles,
): NonNullable<Parameters<typeof createBus>[0]["access"]> {
  if (!existsSync(helloSecret)) return { requireToken };
  if (isPrivate(helloSecret)) {
    return policy === "compat"
      ? { requireToken, signedHello: openSignedHello(helloSecret, Date.now) }
      : { requireToken: true };
  }
  throw new ClawError("FILE_ACCESS_DENIED", `${helloSecret} can be read by others`, {
    operation: "open",
    target: helloSecret,
    hint: `Make the file private: chmod 600 ${helloSecret}. If others may know the secret, replace it first.`,
  });
}

function openLog(
  fs: FileSystem,
  { options, files, membership }: PartsOptions,
  counters: Counters,
  bus: () => Bus,
): EventLog {
  if (membership !== undefined) return membership.log;
  const epochs = folderEpochs(counters, { fs, files });
  return openSegmentLog(fs, {
    directory: files.log,
    durability: options.durability,
    segmentBytes: LIMITS.logSegmentBytes,
    retainBytes: LIMITS.logBytes,
    retainMs: LIMITS.logMs,
    mayRemove: (through) => bus().covers(through),
    epochs: { last: epochs.own, highest: epochs.highest, keep: epochs.keepOwn },
  });
}

const numbersOf = (counters: Counters): Parameters<typeof createBus>[0]["ids"] => ({
  nextPeer: () => counters.next("peer"),
  nextSubscription: () => counters.next("subscription"),
  nextTerminal: () => counters.next("terminal"),
});

/** Opens the daemon's stores and the bus on them. The bus has not read the log yet, and no client can connect yet. */
export function openParts(fs: FileSystem, asked: PartsOptions): DaemonParts {
  const { options, membership, report } = asked;
  const files = membership === undefined ? asked.files : { ...asked.files, ...membership.files };
  const request = { ...asked, files };
  const lifetime = createLifetime();
  const access = accessOf(options, files);
  const { counters } = asked;
  const log = openLog(fs, request, counters, () => bus);
  const tokens = openTokenStore(fs, files.secrets, Date.now, report);
  const terminals = openTerminals(request);
  const pages = openPages(fs, request, tokens, (id) => bus.host.revokeToken(id));
  const accept = touching(
    (...client) => bus.accept(...client),
    () => request.touched.now(),
  );
  const bus: Bus = createBus({
    log,
    terminals,
    tokens,
    access,
    report,
    policy: options.policy,
    now: Date.now,
    ids: membership?.numbers ?? numbersOf(counters),
    publishRate: options.rateLimit,
    ...(options.budgetUsd === undefined ? {} : { budget: budgetLimits(options.budgetUsd) }),
    durables: membership?.durables ?? openDurableStore(files.durables, report),
    snapshotStore: openSnapshotStore(fs, files.snapshots),
    router: membership?.router,
    judges: membership?.judges,
    noticed: (notice) => compat?.note(notice),
    extend: (host) => [
      ...supervise(host, superviseOptions(request, { tokens, lifetime, accept, inLog: openInLog(fs, request, log) })),
      createPageExtension(pages, { touch: () => request.touched.now(), report }),
    ],
    about: {
      version: options.version,
      durability: membership?.durability ?? options.durability,
      servers: [{ workspace: options.cwd, socket: options.socket ?? files.socket }],
    },
  });
  const compat = openCompat(fs, request, { log, bus });
  const tees = [...openCopies(fs, request, log), ...(compat === undefined ? [] : [compat])];
  return { log, bus, tokens, counters, lifetime, terminals, pages, tees, membership };
}

const openPages = (
  fs: FileSystem,
  { options, files, report }: PartsOptions,
  tokens: TokenStore,
  revoke: (id: string) => boolean,
): Pages =>
  createPages({
    fs,
    folder: options.pageFolder,
    statePath: files.page,
    tokens,
    revoke,
    now: Date.now,
    version: options.version,
    workspace: options.cwd,
    report,
  });

/**
 * The host's heap is small: the threads with which V8 would clean it take a quarter of the host's processor time (benchmark
 * `terminals`).
 */
const HOST_FLAG = "--single-threaded-gc";

const openTerminals = ({ options, files, report, touched }: PartsOptions): HostTerminals => {
  const [node, ...host] = options.part("terminal-host");
  const terminals = new HostTerminals({
    folder: files.folder,
    daemonSocket: options.socket ?? files.socket,
    argv: [node, HOST_FLAG, ...host],
    env: options.env,
    report,
  });
  terminals.onClosed(() => touched.now());
  terminals.onFact(() => touched.now());
  return terminals;
};

/**
 * Workers connect over the unix socket, which asks for a token only with `requireToken` or when the hello secret
 * exists.
 */
const bearerFor =
  ({ options, files }: PartsOptions, tokens: TokenStore) =>
  (name: string): string | null =>
    options.requireToken || existsSync(files.helloSecret) ? tokens.mint({ role: "worker", peer: name }) : null;

interface Inside {
  readonly tokens: TokenStore;
  readonly lifetime: Lifetime;
  readonly accept: Accept;
  readonly inLog: Pick<SuperviseOptions, "moments" | "notify">;
}

const superviseOptions = (request: PartsOptions, { tokens, lifetime, accept, inLog }: Inside): SuperviseOptions => ({
  ...outsideOf(request),
  ...inLog,
  silenceOf: request.membership?.silenceOf,
  bearerFor: bearerFor(request, tokens),
  doors: createWorkerDoors({
    folder: join(request.files.secrets, "workers"),
    accept,
    mint: (name) => tokens.mint({ role: "worker", peer: name }),
    lifetime,
    report: request.report,
  }),
  lifetime,
});

const outsideOf = ({
  options,
  files,
  report,
  touched,
  umask,
  membership,
}: PartsOptions): Omit<SuperviseOptions, "bearerFor" | "doors" | "lifetime" | "moments" | "notify"> => ({
  umask,
  version: options.version,
  directory: membership?.directory,
  claimName: membership?.claimName,
  cwd: options.cwd,
  folder: files.folder,
  socket: options.socket ?? files.socket,
  env: options.env,
  rules: options.rules,
  program: options.program,
  part: options.part,
  prices: options.prices ?? {},
  settle: options.settle,
  readTranscript: options.readTranscript,
  perDay: { usd: options.budgetUsdPerDay, tokens: options.budgetTokensPerDay },
  dayOf: membership === undefined ? localDay : utcDay,
  touch: () => touched.now(),
  report,
});

/** Parts that read the log beside the bus. */
const openInLog = (fs: FileSystem, { options, files, report }: PartsOptions, log: EventLog): Inside["inLog"] => ({
  moments: { log, store: openMomentStore(fs, { directory: files.moments, maxBytes: LIMITS.momentBytes, report }) },
  notify: { log, fs, folder: files.notify, settings: options.notify ?? (() => undefined) },
});

function openCopies(fs: FileSystem, { options, files, report }: PartsOptions, log: EventLog): Tee[] {
  const failed = (error: unknown): void => report(`the copy in ${files.tee} is behind: ${String(error)}`);
  return options.tee ? [openTee(fs, { log, path: files.tee, failed })] : [];
}

function openCompat(
  fs: FileSystem,
  { options, files, report }: PartsOptions,
  { log, bus }: Pick<DaemonParts, "log" | "bus">,
): CompatFiles | undefined {
  if (options.policy !== "compat") return undefined;
  return openCompatFiles(fs, { log, files, report, followsAfter: (peerId) => bus.followsAfter(peerId) });
}
