import type { ExitName } from "../errors/exits.ts";
import type { ResponseAnomaly } from "./action.ts";
import { decideRetry, isExhausted, isRetryable } from "./decide-retry.ts";
import { rememberRefresh, rememberRetry, forgetRedirects, rememberHop, rememberRedirect, trailTo } from "./remember.ts";
import type { ResponseDecision, ResponseFailure, ResponseSituation } from "./situation.ts";
import { escalate, malformed } from "./situation.ts";
import { isObject } from "../json.ts";

/** Redirects followed one after another before the first call counts as lost. */
export const MAX_REDIRECT_HOPS = 5;

/**
 * Follows a redirect with the command unchanged. The history holds a permanent redirect before a retry can happen. A
 * redirect without `permanent` holds for this call only. Loops and long chains are escalated.
 */
function decideRedirect(failure: ResponseFailure): ResponseDecision {
  const { error, command, history } = failure;
  const redirect = error["redirect"];
  if (!isObject(redirect)) return escalate(failure, "redirect-malformed");
  const { command: target, permanent, reason } = redirect;
  if (typeof target !== "string" || target.trim() === "") return escalate(failure, "redirect-malformed");
  const trail = [...trailTo(history, command), command];
  if (trail.includes(target)) return escalateLoop(failure, trail);
  if (trail.length > MAX_REDIRECT_HOPS) return escalate(failure, "redirect-limit");
  const why = typeof reason === "string" ? { reason } : {};
  const hopped = rememberHop(history, command, target);
  return {
    action: { kind: "redirect", command: target, permanent: permanent === true, ...why },
    history: permanent === true ? rememberRedirect(hopped, { from: command, to: target, ...why }) : hopped,
    anomalies: typeof permanent === "boolean" ? [] : ["redirect-permanent-absent"],
  };
}

/** Redirects that form a loop lead nowhere; the history forgets them. */
function escalateLoop(failure: ResponseFailure, trail: readonly string[]): ResponseDecision {
  return escalate({ ...failure, history: forgetRedirects(failure.history, trail) }, "redirect-loop");
}

/** What to do after a failing exit, which stands even when `ok` says otherwise. */
export function decideFailure(situation: ResponseSituation, exit: ExitName): ResponseDecision {
  const { error, problem, data } = situation.reading;
  if (problem !== undefined) return malformed(situation, problem);
  if (error === null || error === undefined) {
    return malformed(situation, data === null ? "data-and-error-null" : "error-null-on-failure");
  }
  const { code } = error;
  const hasCode = typeof code === "string" && code !== "";
  const decision = decideByCode({ ...situation, exit, error, code: hasCode ? code : exit });
  const ignored: ResponseAnomaly[] = [];
  if (!hasCode) ignored.push("code-absent");
  if (exit !== "REDIRECTED" && error["redirect"] !== undefined) ignored.push("redirect-ignored");
  return { ...decision, anomalies: [...ignored, ...(decision.anomalies ?? [])] };
}

function decideByCode(failure: ResponseFailure): ResponseDecision {
  if (failure.exit === "REDIRECTED") return decideRedirect(failure);
  if (failure.code === "TOKEN_EXPIRED") return refreshOnce(failure);
  if (failure.code === "TOKEN_INVALID" || failure.code === "TOKEN_MISSING") return acquire(failure);
  if (failure.exit === "AUTH_REQUIRED" && !isRetryable(failure).retryable) return acquire(failure);
  return decideRetry(failure);
}

function refreshOnce(failure: ResponseFailure): ResponseDecision {
  const { history, command, code } = failure;
  if (history.refreshes.includes(command)) return acquire(failure);
  return { action: { kind: "refresh-credentials", code }, history: rememberRefresh(history, command) };
}

/** Counted like a retry, so that a source that keeps handing out bad credentials comes to an end. */
function acquire(failure: ResponseFailure): ResponseDecision {
  const { history, command, code } = failure;
  if (isExhausted(failure)) return escalate(failure, "retries-exhausted");
  const refreshTried = history.refreshes.includes(command);
  return {
    action: { kind: "acquire-credentials", code, refreshTried },
    history: rememberRetry(history, command, code),
  };
}
