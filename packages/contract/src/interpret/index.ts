export type {
  Escalation,
  EscalationReason,
  JudgedExit,
  MalformedProblem,
  ResponseAction,
  ResponseAnomaly,
} from "./action.ts";
export { MAX_REDIRECT_HOPS } from "./decide-failure.ts";
export {
  DEFAULT_RETRY_DELAY_MS,
  MAX_RETRIES_PER_CODE,
  MAX_RETRIES_PER_COMMAND,
  MAX_RETRY_DELAY_MS,
} from "./decide-retry.ts";
export type { Deprecation, RedirectTrail, RememberedRedirect, ResponseHistory, RetryCount } from "./history.ts";
export { EMPTY_HISTORY, MAX_HISTORY_ENTRIES, readHistory } from "./history.ts";
export type { Interpretation, ResponseInput } from "./interpret-response.ts";
export { interpretResponse } from "./interpret-response.ts";
export { CANCELLED_EXITS } from "./interpret-response.ts";
export { MAX_RESPONSE_CHARS } from "./read-envelope.ts";
export { rewriteCommand } from "./rewrite-command.ts";
