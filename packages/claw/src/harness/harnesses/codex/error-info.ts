import { objectOf, stringOrNull } from "claw-contract";
import { categoryOfStatus } from "../../result/classify.ts";
import { integerOf } from "../../stream/loose-values.ts";
import type { RunFailure } from "../../stream/run-update.ts";

type Meaning = Pick<RunFailure, "category" | "unavailable">;

const REJECTED: Meaning = { category: "api", unavailable: false };
const UNAVAILABLE: Meaning = { category: "api", unavailable: true };
const LIMITED: Meaning = { category: "rate_limit", unavailable: false };
/** Codex itself failed, not the model. */
const OWN_FAULT: Meaning = { category: "subprocess", unavailable: false };
const UNKNOWN: Meaning = { category: null, unavailable: null };

/** Codex's own words for a failure, in lower case and without underscores. `other` says nothing. */
const MEANINGS: ReadonlyMap<string, Meaning> = new Map([
  ["unauthorized", { category: "auth", unavailable: false }],
  ["usagelimitexceeded", LIMITED],
  ["ratelimitexceeded", LIMITED],
  ["internalservererror", UNAVAILABLE],
  ["serveroverloaded", UNAVAILABLE],
  ["flexunavailable", UNAVAILABLE],
  ["policycapacityunavailable", UNAVAILABLE],
  ["httpconnectionfailed", UNAVAILABLE],
  ["responsestreamconnectionfailed", UNAVAILABLE],
  ["responsestreamdisconnected", UNAVAILABLE],
  ["responsetoomanyfailedattempts", UNAVAILABLE],
  ["contextwindowexceeded", REJECTED],
  ["sessionbudgetexceeded", REJECTED],
  ["modelnotfound", REJECTED],
  ["badrequest", REJECTED],
  ["cyberpolicy", REJECTED],
  ["misalignmentpolicyviolation", REJECTED],
  ["toomanydenials", REJECTED],
  ["threadrollbackfailed", OWN_FAULT],
  ["sandboxerror", OWN_FAULT],
  ["activeturnnotsteerable", OWN_FAULT],
  ["other", UNKNOWN],
]);

/**
 * Reads Codex's report of a failure: a word, or an object whose key is the word and whose value may hold the HTTP
 * status. The app-server writes the word in camel case, the file of a thread in snake case. A status says more than the
 * word. An unknown word means a refusal.
 */
export function readErrorInfo(info: unknown): Pick<RunFailure, "category" | "status" | "unavailable"> {
  const [[word, detail] = [stringOrNull(info), null]] = Object.entries(objectOf(info));
  const fields = objectOf(detail);
  const status = integerOf(fields["httpStatusCode"] ?? fields["http_status_code"]);
  if (status !== null) return { status, category: categoryOfStatus(status), unavailable: null };
  const name = (word ?? "other").replaceAll("_", "").toLowerCase();
  return { status, ...(MEANINGS.get(name) ?? REJECTED) };
}
