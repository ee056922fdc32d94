import { isEstimated, nextSum } from "../budgets/amounts.ts";
import { isPhase } from "../events/phases.ts";
import { LIMITS } from "../limits/limits.ts";
import { AT_WORK, takeSignal } from "./take-signal.ts";
import type { EventFact } from "./worker-fact.ts";
import { amountIn, failureIn, lineIn, textIn, worktreeChangesIn } from "./worker-fact.ts";
import type { Cause, OpenQuestion, Used, WorkerRecord } from "./worker-record.ts";

type Change = Partial<WorkerRecord>;
type Take = (worker: WorkerRecord, fact: EventFact) => Change;

const said = ({ at, sequence }: EventFact, text: string): Cause => ({ text, source: "self", at, sequence });

const renew = (used: Used): Used => ({
  before: used.before + used.current,
  current: 0,
  ...(used.guessed === true || isEstimated(used) ? { guessed: true } : {}),
});

/** A worker that does not know the agent's model yet names the agent; the agent's name is no model. */
function modelIn(said: unknown, { harness, model }: WorkerRecord["profile"]): string | null {
  const named = lineIn(said);
  return named === null || named === harness ? model : named;
}

const boot: Take = (worker, fact) => {
  const { data } = fact;
  const { profile } = worker;
  const terminal = data["terminal_id"];
  return {
    tokens: renew(worker.tokens),
    costUsd: renew(worker.costUsd),
    ...(worker.unknownCalls === undefined ? {} : { unknownCalls: renew(worker.unknownCalls) }),
    work: said(fact, "it has booted"),
    profile: {
      ...profile,
      model: modelIn(data["model"], profile),
      mission: profile.mission ?? lineIn(data["mission_summary"]),
      cwd: textIn(data["cwd"]) ?? profile.cwd,
      terminalId: (typeof terminal === "number" ? String(terminal) : textIn(terminal)) ?? profile.terminalId,
      parentId: textIn(data["parent_peer_id"]) ?? profile.parentId,
    },
  };
};

/** Entering RECOVER begins a usage limit and does not end a limit. */
const phase: Take = (worker, fact) => {
  const { phase: next, transition_reason: why } = fact.data;
  if (!isPhase(next)) return {};
  const text = next === "FAILED" ? failureIn(why) : `it is in ${next}`;
  const work = worker.turn === "running" && worker.isSignalling ? worker.work : said(fact, text);
  const moved: Change = { phase: next, work, ...(next === "RECOVER" ? { blocked: null } : AT_WORK) };
  const anonymous = worker.questions.filter(({ requestId }) => !requestId.startsWith("seq:"));
  return next === "FAILED" ? moved : { ...moved, questions: anonymous };
};

const grown = (used: Used, value: unknown, isEstimate = false): Used => {
  const amount = amountIn(value);
  return amount === null ? used : nextSum(used, amount, isEstimate);
};

/** Model calls that were cut off; most workers have none. */
const moreUnknown = ({ unknownCalls }: WorkerRecord, value: unknown): Change =>
  amountIn(value) === null ? {} : { unknownCalls: grown(unknownCalls ?? { before: 0, current: 0 }, value) };

/** The profile after a heartbeat, which names the agent's model and permission mode. */
function profileAfter(profile: WorkerRecord["profile"], data: EventFact["data"]): WorkerRecord["profile"] {
  const permissionMode = lineIn(data["permission_mode"]);
  const model = modelIn(data["model"], profile);
  return { ...profile, model, ...(permissionMode === null ? {} : { permissionMode }) };
}

const heartbeat: Take = (worker, fact) => {
  const { data } = fact;
  const tokens = grown(worker.tokens, data["tokens_used"]);
  const currentAction = lineIn(data["current_action"]) ?? worker.currentAction;
  const moves = tokens !== worker.tokens || currentAction !== worker.currentAction;
  return {
    tokens,
    costUsd: grown(worker.costUsd, data["cost_usd"], data["cost_estimated"] === true),
    ...moreUnknown(worker, data["unknown_calls"]),
    profile: profileAfter(worker.profile, data),
    currentAction,
    phase: worker.phase ?? (isPhase(data["current_phase"]) ? data["current_phase"] : null),
    ...(moves ? { lastProgress: fact.at, isHung: false } : {}),
  };
};

export function ask(worker: WorkerRecord, question: OpenQuestion): Change {
  const others = worker.questions.filter(({ requestId }) => requestId !== question.requestId);
  const before = worker.questions.length - others.length;
  if (before > 0) {
    const put = (each: OpenQuestion): OpenQuestion => (each.requestId === question.requestId ? question : each);
    return { questions: worker.questions.map(put) };
  }
  return { questions: [...others, question].slice(-LIMITS.openQuestions) };
}

/** Kinds of events that show progress of a worker. */
const GETTING_ON: ReadonlySet<unknown> = new Set(["PROGRESS", "DECISION", "HARVEST"]);

const event: Take = (worker, fact) => {
  const { kind, severity, message, request_id } = fact.data;
  const text = lineIn(message) ?? String(kind);
  if (severity === "fatal") return {};
  const requestId = textIn(request_id);
  if (kind === "REQUEST" || (kind === "BLOCKED" && requestId !== null)) {
    const id = requestId ?? `seq:${fact.sequence}`;
    return ask(worker, { ...said(fact, text), requestId: id, approvalId: null });
  }
  if (kind === "BLOCKED") return { blocked: said(fact, text) };
  return GETTING_ON.has(kind) ? { blocked: null } : {};
};

const complete: Take = (worker, fact) => {
  const { data } = fact;
  return {
    tokens: grown(worker.tokens, data["total_tokens"]),
    costUsd: grown(worker.costUsd, data["total_cost_usd"], data["cost_estimated"] === true),
    ...moreUnknown(worker, data["unknown_calls"]),
    completion: "reported",
    changes: worktreeChangesIn(data),
  };
};

const ACTIONS: Readonly<Record<string, Take>> = { boot, phase, heartbeat, event, complete, signal: takeSignal };

/** Every event of a worker is a sign of life. Every known event except a heartbeat is also a sign of progress. */
export function takeOwn(worker: WorkerRecord, action: string, fact: EventFact): WorkerRecord {
  const alive: WorkerRecord = { ...worker, lastSeen: fact.at, isSilent: false };
  const take = Object.hasOwn(ACTIONS, action) ? ACTIONS[action] : undefined;
  if (take === undefined) return alive;
  const progress: Change = action === "heartbeat" ? {} : { lastProgress: fact.at, isHung: false };
  return { ...alive, ...progress, ...take(alive, fact) };
}
