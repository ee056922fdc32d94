import { LIMITS, nonEmptyText, numberOf, storedPayload } from "claw-contract";
import { WorkerComplete } from "claw-contract/schemas";
import type { Completion, ReplyFields } from "claw-contract";
import type { CommittedEvent, StoredProjection } from "../../../bus/index.ts";
import { fieldsOf } from "../../../bus/index.ts";

/** A worker's report, with the results of its examination, checks and judgement. */
export type Report = NonNullable<ReplyFields<"worker.report">["report"]>;

/** The folder a worker works in, and the checks of its work. */
type Workplace = Report["place"];

const UNKNOWN_PLACE: Workplace = { cwd: null, worktree: null, checks: [], folder: null, sawTool: false };

/** Whether the report's checks have to be run. */
export const needsChecks = ({ result, place, verified, judged }: Report): boolean =>
  result === "ok" && place.checks.length > 0 && verified === null && judged === null;

export function completionOf({ judged, verified }: Report): Completion {
  if (judged !== null) return judged.kind;
  if (verified === null) return "reported";
  return verified.passed ? "verified" : "failed_checks";
}

/** The last report of each worker, read from the log. */
export interface CompletionMemory {
  readonly projection: StoredProjection;
  /** The last report; undefined before the first report, and after the worker was sent back and started anew. */
  get(peerId: string): Report | undefined;
  all(): readonly Report[];
}

interface Saved {
  readonly places: readonly [peerId: string, place: Workplace][];
  readonly reports: readonly [peerId: string, report: Report][];
}

const PATTERNS = [
  "worker.*.boot",
  "worker.*.signal",
  "worker.*.complete",
  "system.worker.spawned",
  "system.worker.completed",
  "system.worker.verified",
  "system.worker.accepted",
  "system.worker.rework",
  "system.worker.removed",
];

const countOf = (value: unknown): number | null => (Array.isArray(value) ? value.length : (numberOf(value) ?? null));

function reportOf(peerId: string, { payload, sequence }: CommittedEvent, place: Workplace): Report | undefined {
  const { success, data } = WorkerComplete.safeParse(fieldsOf(payload));
  if (!success) return undefined;
  const more = fieldsOf(data["data"]);
  const diff = fieldsOf(data["diff"] ?? more["diff"]);
  const commits = countOf(data["commits"] ?? more["commits"]) ?? 0;
  return {
    peerId,
    sequence,
    result: data.result,
    summary: data.summary,
    artifacts: data.artifacts.slice(0, LIMITS.artifacts),
    toolCalls: countOf(data["tool_calls"] ?? more["tool_calls"]),
    claimsChanges: commits > 0 || (countOf(diff["files"]) ?? 0) > 0,
    place,
    completed: null,
    verified: null,
    judged: null,
  };
}

/** A report after an event of the server; the same object when the event is about another report. */
function moved(report: Report, event: CommittedEvent): Report {
  const what = event.topic.slice(event.topic.lastIndexOf(".") + 1);
  const { by, reason, sequence } = fieldsOf(event.payload);
  if (what === "accepted" || what === "rework") {
    return { ...report, judged: { kind: what, by: nonEmptyText(by) ?? "", reason: nonEmptyText(reason) ?? null } };
  }
  if (sequence !== report.sequence) return report;
  const completed = storedPayload(event, "system.worker.completed");
  if (completed !== undefined) {
    return { ...report, completed: { artifacts: completed.artifacts, doubts: completed.doubts } };
  }
  const verified = storedPayload(event, "system.worker.verified");
  if (verified === undefined) return report;
  return { ...report, verified: { passed: verified.passed, checks: verified.checks } };
}

/** Stores a value as the newest, and removes the oldest value beyond the limit. */
function keepNewest<Value>(map: Map<string, Value>, peerId: string, value: Value): void {
  map.delete(peerId);
  map.set(peerId, value);
  const [oldest] = map.keys();
  if (map.size > LIMITS.reports && oldest !== undefined) map.delete(oldest);
}

interface KnownReports {
  readonly places: Map<string, Workplace>;
  readonly reports: Map<string, Report>;
}

function hearWorker({ places, reports }: KnownReports, event: CommittedEvent): void {
  const [, peerId = "", action] = event.topic.split(".");
  const place = places.get(peerId) ?? UNKNOWN_PLACE;
  if (action === "signal") {
    return places.has(peerId) ? keepNewest(places, peerId, { ...place, sawTool: true }) : undefined;
  }
  if (action === "boot") {
    return keepNewest(places, peerId, {
      ...place,
      cwd: place.cwd ?? nonEmptyText(fieldsOf(event.payload)["cwd"]) ?? null,
    });
  }
  const report = reportOf(peerId, event, place);
  return report === undefined ? undefined : keepNewest(reports, peerId, report);
}

function hearServer({ places, reports }: KnownReports, event: CommittedEvent): void {
  const peerId = nonEmptyText(fieldsOf(event.payload)["peerId"]) ?? "";
  if (event.topic.endsWith(".removed")) {
    places.delete(peerId);
    return void reports.delete(peerId);
  }
  const spawned = storedPayload(event, "system.worker.spawned");
  if (spawned !== undefined) {
    const { cwd, worktree, checks, folder } = spawned;
    reports.delete(peerId);
    return keepNewest(places, peerId, { cwd: worktree?.path ?? cwd, worktree, checks, folder, sawTool: false });
  }
  const report = reports.get(peerId);
  if (report !== undefined) reports.set(peerId, moved(report, event));
  return undefined;
}

export function createCompletionMemory(): CompletionMemory {
  const known: KnownReports = { places: new Map(), reports: new Map() };
  const { places, reports } = known;
  return {
    projection: {
      patterns: PATTERNS,
      wants: ({ topic, payload }) => !topic.endsWith(".signal") || payload?.includes("tool_started") === true,
      apply: (event) => {
        if (event.topic.startsWith("worker.")) return hearWorker(known, event);
        return event.from === "server" ? hearServer(known, event) : undefined;
      },
      save: (): Saved => ({ places: [...places], reports: [...reports] }),
      load: (saved) => {
        for (const [peerId, place] of (saved as Saved).places) places.set(peerId, place);
        for (const [peerId, report] of (saved as Saved).reports) reports.set(peerId, report);
      },
    },
    get: (peerId) => reports.get(peerId),
    all: () => [...reports.values()],
  };
}
