import { BATCHES_SINCE, isOlder, LEADS_SINCE } from "../connection/server-version.ts";
import type { SyncMode } from "../connection/sync-mode.ts";
import type { NatsFacts } from "./nats-facts.ts";

/** One row of `claw doctor`. */
export interface NatsFinding {
  readonly id: string;
  readonly name: string;
  readonly status: "ok" | "warn" | "fail";
  readonly summary: string;
  readonly fix?: string;
}

type Judged = Omit<NatsFinding, "id" | "name">;

/** Older servers lack direct reads and named consumers. */
const OLDEST = [2, 9] as const;
/** Part of a limit from which on it is nearly reached. */
const NEARLY = 0.9;
const CLOCK_MS = 60_000;
const MIB = 1024 * 1024;

const mebibytes = (bytes: number): string => `${Math.round(bytes / MIB)} MiB`;

function judgeVersion({ version }: NatsFacts): Judged {
  const summary = `nats-server ${version}`;
  if (isOlder(version, OLDEST)) {
    return { status: "fail", summary, fix: `Update nats-server to ${OLDEST.join(".")} or newer.` };
  }
  if (!isOlder(version, BATCHES_SINCE)) return { status: "ok", summary };
  const slow = `${summary} reads the log event by event, so history is slow`;
  return { status: "warn", summary: slow, fix: `Update nats-server to ${BATCHES_SINCE.join(".")} or newer.` };
}

function judgeJetStream({ jetStream }: NatsFacts): Judged {
  if (jetStream !== undefined) return { status: "ok", summary: "JetStream is on" };
  const fix = "Start nats-server with JetStream (-js -sd DIR), and enable it for this machine's account.";
  return { status: "fail", summary: "JetStream is off, or not enabled for this machine", fix };
}

const isNearly = (used: number, most: number): boolean => most > 0 && used >= most * NEARLY;

function judgeLimits({ jetStream, stream }: NatsFacts): Judged {
  if (jetStream === undefined) return { status: "warn", summary: "limits are unknown without JetStream" };
  if (isNearly(jetStream.bytes, jetStream.maxBytes)) {
    const summary = `${mebibytes(jetStream.bytes)} of ${mebibytes(jetStream.maxBytes)} of the account are used`;
    return {
      status: "warn",
      summary,
      fix: "Raise the storage limit of the account: when it is reached, events are refused.",
    };
  }
  if (stream === undefined) return { status: "ok", summary: "no log yet" };
  const { bytes, maxBytes } = stream;
  if (maxBytes <= 0) {
    const fix = "Limit the bytes of the stream: without a limit it grows until the disk is full.";
    return { status: "warn", summary: `the log has ${mebibytes(bytes)} and no limit`, fix };
  }
  return {
    status: "ok",
    summary: `the log has ${mebibytes(bytes)} of ${mebibytes(maxBytes)}; then the oldest events go`,
  };
}

const LEAST_REPLICAS = 3;

function judgeReplicas({ stream, version }: NatsFacts): Judged {
  if (stream === undefined) return { status: "ok", summary: "no log yet" };
  const { replicas } = stream;
  if (replicas > 1 && isOlder(version, LEADS_SINCE)) {
    const summary = `the log is on ${replicas} servers, and nats-server ${version} may lose events when their leader is killed`;
    return { status: "warn", summary, fix: `Update nats-server to ${LEADS_SINCE.join(".")} or newer.` };
  }
  if (replicas >= LEAST_REPLICAS) return { status: "ok", summary: `the log is on ${replicas} servers` };
  const where = replicas === 1 ? "one server alone" : `${replicas} servers; when one is gone, nothing can be stored`;
  return {
    status: "warn",
    summary: `the log is on ${where}`,
    fix: "Run three servers and give the stream three replicas.",
  };
}

const isAlways = ({ kind }: SyncMode): boolean => kind === "always";

function judgeSync({ sync }: NatsFacts): Judged {
  if (sync.length > 0 && sync.every(isAlways)) {
    return { status: "ok", summary: "each event is on disk before it is acknowledged" };
  }
  const late = sync.find((mode) => mode.kind === "interval");
  if (late !== undefined) {
    const summary = `events are acknowledged up to ${late.intervalMs / 1000} s before they are on disk: durability is relaxed`;
    return {
      status: "warn",
      summary,
      fix: "Set sync_interval: always in the jetstream block of each server (2.10 or newer).",
    };
  }
  const unknown = sync.find((mode) => mode.kind === "unknown");
  const why = unknown === undefined ? "no monitoring address is known" : unknown.reason;
  const summary = `when events are on disk is unknown (${why}): durability counts as relaxed`;
  return {
    status: "warn",
    summary,
    fix: "Name the monitoring address of each server, or set its mode in the settings.",
  };
}

function judgeClock({ clockAheadMs }: NatsFacts): Judged {
  if (clockAheadMs === undefined) return { status: "ok", summary: "the servers' clock is unknown" };
  const seconds = Math.round(Math.abs(clockAheadMs) / 1000);
  if (Math.abs(clockAheadMs) < CLOCK_MS) return { status: "ok", summary: `clocks differ by ${seconds} s` };
  const summary = `the servers' clock is ${seconds} s ${clockAheadMs > 0 ? "ahead" : "behind"}`;
  const fix = "Let each machine take its time from the network: order is not affected, but times of events are wrong.";
  return { status: "warn", summary, fix };
}

function judgePermissions({ actsAsOthers }: NatsFacts): Judged {
  if (actsAsOthers === "refused") return { status: "ok", summary: "the servers hold this machine to its own subjects" };
  if (actsAsOthers === "unknown") return { status: "ok", summary: "permissions are not known before there is a log" };
  const fix = "Give each machine a user of its own: claw cluster-credentials.";
  return { status: "warn", summary: "this machine may publish events of other machines", fix };
}

const ROWS: readonly { readonly id: string; readonly name: string; readonly judge: (facts: NatsFacts) => Judged }[] = [
  { id: "nats-version", name: "NATS", judge: judgeVersion },
  { id: "nats-jetstream", name: "JetStream", judge: judgeJetStream },
  { id: "nats-limits", name: "Limits of the log", judge: judgeLimits },
  { id: "nats-replicas", name: "Replicas of the log", judge: judgeReplicas },
  { id: "nats-sync", name: "Durability of the log", judge: judgeSync },
  { id: "nats-clock", name: "Clocks of the cluster", judge: judgeClock },
  { id: "nats-permissions", name: "Permissions in NATS", judge: judgePermissions },
];

/** What is good and bad about the servers of a cluster, one row for each thing. */
export const judgeNats = (facts: NatsFacts): NatsFinding[] =>
  ROWS.map(({ id, name, judge }) => ({ id, name, ...judge(facts) }));
