import { ProtocolError, ProtocolErrorCode } from "@modelcontextprotocol/server";
import type { JsonObject, ToolName } from "claw-contract";
import {
  ANSWER_RESERVE_SECONDS,
  arrayOf,
  isObject,
  MAX_TOOL_WAIT_SECONDS,
  nonEmptyText,
  objectOf,
  textsOf,
} from "claw-contract";
import type { WorkersOutcome } from "../../../verbs/index.ts";
import { watchOutcome } from "../../../verbs/index.ts";
import type { ToolQuestion } from "../../layer/tool.ts";
import type { ToolWork } from "../claws-tool.ts";
import type { OutcomeData, RefusedStart } from "../tools/outcome-data.ts";
import { outcomeData } from "../tools/outcome-data.ts";
import { approvalForm, showsForms } from "./approval-form.ts";
import type { AskedApproval } from "./ask-people.ts";
import { askable, elicit, giveAnswer } from "./ask-people.ts";

const MS = 1000;

/** What a call waits for. Carried from round to round in the signed state. */
export interface WaitingCall {
  readonly workers: readonly string[] | undefined;
  readonly cursor: string | undefined;
  readonly refused: readonly RefusedStart[];
}

export interface RoundAsked {
  readonly tool: ToolName;
  /** Arguments of the call; a state fits no other call. */
  readonly input: JsonObject & { readonly wait_seconds?: number | undefined };
}

type Outcome = WorkersOutcome;
type Answer = { readonly data: OutcomeData } | ToolQuestion;

/**
 * When the call has to stop waiting. A longer wait than every client bears is only for clients that ask for progress, and
 * that claw was told of.
 */
function deadlineOf({ input: { wait_seconds: asked } }: RoundAsked, { host, call, begunMs }: ToolWork): number {
  const { holdSeconds } = host.choices;
  const most = call.progress === null ? Math.min(holdSeconds, MAX_TOOL_WAIT_SECONDS) : holdSeconds;
  const longest = most - Math.min(ANSWER_RESERVE_SECONDS, most / 5);
  return begunMs + Math.min(asked ?? longest, longest) * MS;
}

/** Reports each line of news as progress. */
function reporter({ call }: ToolWork): (line: string) => void {
  let count = 0;
  return (message) => {
    count += 1;
    void call.progress?.({ progress: count, message });
  };
}

const bindingOf = ({ tool, input }: RoundAsked, { call }: ToolWork) => ({ caller: call.caller.id, tool, input });

function question(outcome: Outcome, waiting: WaitingCall, asked: RoundAsked, work: ToolWork): ToolQuestion {
  const approvals = askable(outcome.approvals, work.host.keep);
  const payload = {
    workers: waiting.workers,
    cursor: waiting.cursor,
    refused: waiting.refused,
    asked: approvals.map(({ approvalId, hash }) => ({ approvalId, hash })),
  };
  const forms = approvals.map((approval) => [approval.approvalId, work.host.shown(approvalForm(approval))] as const);
  return {
    kind: "input-required",
    inputRequests: Object.fromEntries(forms),
    requestState: work.host.keep.states.sign(payload, bindingOf(asked, work)),
  };
}

/** The wait that a state carries, and the questions that it asked. Throws the protocol's error for any other state. */
function readState(
  state: string,
  asked: RoundAsked,
  work: ToolWork,
): WaitingCall & { asked: readonly AskedApproval[] } {
  const payload = work.host.keep.states.take(state, bindingOf(asked, work));
  if (payload === undefined) {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
      reason: "invalid_request_state",
      hint: "The workers of the call go on. Wait for them with claws_wait; claws_approvals lists open questions.",
    });
  }
  const approvals = arrayOf(payload["asked"]).map(objectOf);
  return {
    workers: Array.isArray(payload["workers"]) ? textsOf(payload["workers"]) : undefined,
    cursor: nonEmptyText(payload["cursor"]),
    refused: arrayOf(payload["refused"]).filter(isObject) as unknown as readonly RefusedStart[],
    asked: approvals.map(({ approvalId, hash }) => ({ approvalId: String(approvalId), hash: String(hash) })),
  };
}

/** Asks the client of the older era, until an answer, the end of the wait, or another answer to the question. */
async function askMeanwhile(outcome: Outcome, waiting: WaitingCall, work: ToolWork, leftMs: number) {
  const ending = new AbortController();
  const approvals = askable(outcome.approvals, work.host.keep);
  const asking = Promise.all(
    approvals.map(async (approval) => {
      const response = await elicit(approvalForm(approval), work, { signal: ending.signal, timeout: leftMs });
      return response === undefined ? [] : [await giveAnswer(approval, response, work, work.call.signal)];
    }),
  ).finally(() => ending.abort());
  const isClosed = ({ approvals: open }: { approvals: readonly AskedApproval[] }): boolean =>
    approvals.some(({ approvalId }) => !open.some((each) => each.approvalId === approvalId));
  const wanted = { workers: waiting.workers, cursor: outcome.cursor, waitMs: leftMs, isEnough: isClosed };
  const next = await watchOutcome({ ...wanted, until: ending.signal, onNews: reporter(work) }, work.ports);
  ending.abort();
  const notes = (await asking).flat();
  return { notes, next: { ...next, news: [...outcome.news, ...next.news] } };
}

const isEnded = ({ status }: Outcome): boolean => status === "done" || status === "failed";

/** Waits for workers as long as one call may, and asks the client about approvals where it can show forms. */
async function wait(waiting: WaitingCall, asked: RoundAsked, work: ToolWork, notes: string[]): Promise<Answer> {
  const { host, call } = work;
  const deadlineMs = deadlineOf(asked, work);
  const forms = showsForms(call.capabilities) && call.caller.role === "orchestrator";
  const isAsked = ({ approvals }: Pick<Outcome, "approvals">): boolean =>
    forms && askable(approvals, host.keep).length > 0;
  const left = (): number => Math.max(0, deadlineMs - Date.now());
  let outcome = await watchOutcome(
    { ...waiting, waitMs: left(), isEnough: isAsked, onNews: reporter(work) },
    work.ports,
  );
  if (isAsked(outcome) && call.era === "modern") return question(outcome, waiting, asked, work);
  while (isAsked(outcome) && left() > 0) {
    const { notes: more, next } = await askMeanwhile(outcome, waiting, work, left());
    notes.push(...more);
    outcome = next;
    // A question that was left open is told now. An answered one lets the wait go on.
    if (isEnded(outcome) || outcome.approvals.length > 0 || left() === 0) continue;
    const wanted = { workers: waiting.workers, cursor: outcome.cursor, waitMs: left(), isEnough: isAsked };
    const later = await watchOutcome({ ...wanted, onNews: reporter(work) }, work.ports);
    outcome = { ...later, news: [...outcome.news, ...later.news] };
  }
  return { data: outcomeData(outcome, { refused: waiting.refused, notes }) };
}

/** The first round of a call. */
export const firstRound = (waiting: WaitingCall, asked: RoundAsked, work: ToolWork): Promise<Answer> =>
  wait(waiting, asked, work, []);

/** A later round: takes the answers to the questions of the round before, and waits on. */
export async function nextRound(state: string, asked: RoundAsked, work: ToolWork): Promise<Answer> {
  const { asked: approvals, ...waiting } = readState(state, asked, work);
  const responses = work.call.inputResponses ?? {};
  const notes: string[] = [];
  for (const approval of approvals) {
    notes.push(await giveAnswer(approval, responses[approval.approvalId], work, work.call.signal));
  }
  return wait(waiting, asked, work, notes);
}
