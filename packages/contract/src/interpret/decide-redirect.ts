import { forgetRedirects, rememberHop, rememberRedirect, trailTo } from "./remember.ts";
import type { ResponseDecision, ResponseFailure } from "./situation.ts";
import { escalate } from "./situation.ts";
import { isObject } from "../json.ts";

/** Redirects followed one after another before the first call counts as lost. */
export const MAX_REDIRECT_HOPS = 5;

/**
 * Follows a redirect with the command unchanged. The history holds a permanent redirect before a retry can happen. A
 * redirect without `permanent` holds for this call only. Loops and long chains are escalated.
 */
export function decideRedirect(failure: ResponseFailure): ResponseDecision {
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
