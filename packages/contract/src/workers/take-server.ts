import type { WorktreeChanges } from "../events/families/worktree.ts";
import type { JsonObject } from "../json.ts";
import { isObject } from "../json.ts";
import { LIMITS } from "../limits/limits.ts";
import type { WorkerState } from "./worker-words.ts";
import { STATE_SOURCES, WORKER_STATES } from "./worker-words.ts";
import { leaveLimit } from "./take-clock.ts";
import { ask } from "./take-own.ts";
import type { EventFact } from "./worker-fact.ts";
import { amountIn, lineIn, textIn, timeIn } from "./worker-fact.ts";
import type { Cause, OpenQuestion, Used, WorkerRecord } from "./worker-record.ts";
import { newLife } from "./worker-record.ts";

type Change = Partial<WorkerRecord>;
type Take = (worker: WorkerRecord, fact: EventFact) => Change;

const MISSION_CHARS = 1000;

const noted = ({ at, sequence }: EventFact, text: string, source: Cause["source"] = "server"): Cause => ({
  text,
  source,
  at,
  sequence,
});

const recordIn = (value: unknown): JsonObject | null => (isObject(value) ? value : null);

/** Only a spawn gives a worker another life. */
const spawned: Take = ({ profile, completion }, fact) => {
  const { data, at } = fact;
  const attempt = amountIn(data["attempt"]) ?? profile.attempt;
  const why = lineIn(data["reason"]);
  const { checks } = data;
  return {
    ...newLife(at),
    isSpawned: true,
    completion: completion === "rework" ? completion : null,
    work: noted(fact, why === null || attempt <= 1 ? "its process was started" : `it was started anew: ${why}`),
    profile: {
      ...profile,
      name: lineIn(data["name"]) ?? profile.name,
      harness: lineIn(data["harness"]),
      mode: lineIn(data["mode"]),
      model: lineIn(data["model"]),
      permissionAsked: lineIn(data["permission_mode"]),
      permissionMode: null,
      mission: textIn(data["mission"])?.slice(0, MISSION_CHARS) ?? null,
      parentId: textIn(data["parent_id"]),
      fleet: lineIn(data["fleet"]),
      cwd: textIn(data["cwd"]),
      attempt,
      pid: amountIn(data["pid"]),
      worktree: recordIn(data["worktree"]),
      checks: Array.isArray(checks) ? checks.length : 0,
    },
  };
};

const joined: Take = ({ profile, isSpawned, life, ...worker }, { data, at }) => {
  const terminal = data["terminalId"];
  return {
    leftAt: null,
    lastSeen: at,
    isSilent: false,
    lastProgress: life.end?.by === "left" ? at : worker.lastProgress,
    profile: {
      ...profile,
      name: isSpawned ? profile.name : (lineIn(data["peerName"]) ?? profile.name),
      terminalId: (typeof terminal === "number" ? String(terminal) : textIn(terminal)) ?? profile.terminalId,
    },
  };
};

const left: Take = (_worker, { at }) => ({ leftAt: at });

/** Applies `system.peer.stale`, for readers of the log that get no clock facts. */
const stale: Take = ({ lastSeen, ending }, { at }) =>
  ending === null && at - (lastSeen ?? 0) > LIMITS.staleMs ? { isSilent: true } : {};

/** Adds amounts that a life spent and did not report, also after the end of the life. */
function addUnreported(worker: WorkerRecord, unreported: Readonly<Record<string, unknown>> | null): Change {
  if (unreported === null) return {};
  const { tokens, cost_usd: usd, unknown_calls: calls } = unreported;
  const more = (used: Used, value: unknown): Used => ({ ...used, before: used.before + (amountIn(value) ?? 0) });
  const costUsd = more(worker.costUsd, usd);
  return {
    tokens: more(worker.tokens, tokens),
    costUsd: costUsd.before === worker.costUsd.before ? costUsd : { ...costUsd, guessed: true },
    unknownCalls: more(worker.unknownCalls ?? { before: 0, current: 0 }, calls),
  };
}

/** The end of an earlier process does not affect a worker that was started again. */
const terminated: Take = (worker, { data: { pid, unreported } }) =>
  typeof pid === "number" && worker.profile.pid !== null && pid !== worker.profile.pid
    ? {}
    : addUnreported(worker, recordIn(unreported));

const without = (worker: WorkerRecord, { at }: EventFact, isMeant: (question: OpenQuestion) => boolean): Change => {
  const questions = worker.questions.filter((each) => !isMeant(each));
  if (questions.length === worker.questions.length) return {};
  return { questions, freeSince: at, isHung: false };
};

const opened: Take = (worker, fact) => {
  const { data } = fact;
  const requestId = textIn(data["requestId"]) ?? `seq:${String(data["sequence"])}`;
  const known = worker.questions.find((each) => each.requestId === requestId);
  const cause = known ?? noted(fact, lineIn(data["message"]) ?? "it asks for something");
  return ask(worker, { ...cause, requestId, approvalId: textIn(data["approvalId"]) });
};

const closed: Take = (worker, fact) =>
  without(worker, fact, ({ approvalId }) => approvalId !== null && approvalId === fact.data["approvalId"]);

/** A command that answers the worker. */
export function takeAnswer(worker: WorkerRecord, fact: EventFact): WorkerRecord {
  const id = fact.data["correlation_id"];
  const freed = without(worker, fact, ({ requestId }) => requestId === id);
  return { ...worker, ...freed, ...(fact.topic.endsWith(".unblock") ? { blocked: null } : {}) };
}

/** A stopped worker's process may end before the worker reports the stop; the worker still counts as aborted. */
const stopped: Take = ({ ending, life }, fact) => {
  if (life.process !== "ended" || ending === null || ending.source === "self") return {};
  return { ending: { ...noted(fact, "it was told to stop"), state: "aborted" } };
};

/** For a worker that reports turns, only the worker's signals change `paused`. */
const applied: Take = (worker, fact) => {
  const topic = textIn(fact.data["cmdTopic"]) ?? "";
  if (topic.endsWith(".abort")) return stopped(worker, fact);
  if (worker.isSignalling) return {};
  if (topic.endsWith(".pause")) return { paused: noted(fact, "it was told to pause") };
  return topic.endsWith(".resume") ? { paused: null, freeSince: fact.at, isHung: false } : {};
};

const MAX_DOUBTS = 20;

const completed: Take = ({ completion }, { data }) => ({
  completion: completion ?? "reported",
  doubts: Array.isArray(data["doubts"])
    ? data["doubts"].flatMap((each) => lineIn(each) ?? []).slice(0, MAX_DOUBTS)
    : [],
});

/** The server itself computes `changes`, so the shape is known. */
const kept: Take = (_worker, { data }) => ({ changes: recordIn(data["changes"]) as WorktreeChanges | null });

const cleared: Take = ({ profile }) => ({ changes: null, profile: { ...profile, worktree: null } });

/** States that a silent worker cannot have. */
const BELOW_STALE: ReadonlySet<WorkerState> = new Set(["blocked", "unknown", "hung", "starting", "working"]);
const BELOW_HUNG: ReadonlySet<WorkerState> = new Set(["starting", "working"]);

/** Whether a `system.worker.state` event is older than the known verdict, or comes after the worker's end. */
export const isOutdated = ({ verdict, ending }: WorkerRecord, { data, at }: EventFact): boolean =>
  (timeIn(data["as_of"]) ?? at) < verdict.asOf || ending !== null;

/** Events of older versions do not say whether the worker is silent. */
const toldSilent = ({ isSilent }: WorkerRecord, { silent }: JsonObject): boolean =>
  typeof silent === "boolean" ? silent : isSilent;

/**
 * The log holds the effects of the clock only as `system.worker.state` events. The reducer trusts such an event unless
 * a newer verdict exists.
 */
const told: Take = (known, fact) => {
  const { data, at } = fact;
  const state = WORKER_STATES.find((each) => each === data["state"]);
  if (state === undefined) return {};
  const [asOf, until, reason] = [timeIn(data["as_of"]) ?? at, timeIn(data["until"]), textIn(data["reason"]) ?? ""];
  const source = STATE_SOURCES.find((each) => each === data["source"]) ?? "server";
  const change: Change = { told: { state, reason, until, at } };
  if (isOutdated(known, fact)) return change;
  const worker = leaveLimit(known, asOf);
  const { parked, work, freeSince, phase } = worker;
  const evidence = amountIn(data["evidence"]);
  return {
    ...change,
    parked,
    work,
    freeSince,
    isSilent: state === "stale" || (!BELOW_STALE.has(state) && toldSilent(worker, data)),
    isHung: state === "hung" || (worker.isHung && !BELOW_HUNG.has(state)),
    verdict: { state, reason, source, asOf, until, evidence, phase },
  };
};

const TOPICS: Readonly<Record<string, Take>> = {
  "system.worker.spawned": spawned,
  "system.worker.terminated": terminated,
  "system.worker.completed": completed,
  "system.worker.verified": (_worker, { data }) => ({
    completion: data["passed"] === true ? "verified" : "failed_checks",
  }),
  "system.worker.accepted": () => ({ completion: "accepted" }),
  "system.worker.rework": () => ({ completion: "rework" }),
  "system.worker.kept": kept,
  "system.worker.cleared": cleared,
  "system.worker.state": told,
  "system.peer.joined": joined,
  "system.peer.left": left,
  "system.peer.stale": stale,
  "system.approval.opened": opened,
  "system.approval.answered": closed,
  "system.approval.expired": closed,
  "system.command.applied": applied,
};

/** Applies an event of the server to a worker's record. */
export function takeServer(worker: WorkerRecord, fact: EventFact): WorkerRecord {
  const take = Object.hasOwn(TOPICS, fact.topic) ? TOPICS[fact.topic] : undefined;
  return take === undefined ? worker : { ...worker, ...take(worker, fact) };
}
