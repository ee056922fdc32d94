/**
 * The part of the contract that a client of the bus needs at once. Apart from `index.ts`, because a bundler that splits
 * a page into files puts all that `index.ts` shares with the schemas into the first file.
 */
export { nextSum } from "./budgets/amounts.ts";
export { createCancel, onAbort } from "./cancel-signal.ts";
export { isWireErrorCode, WireError as ClawError } from "./errors/wire-error.ts";
export { cursorAt, epochOf, OLDEST } from "./events/cursor.ts";
export { canTransition, isPhase, isTerminalPhase, PHASE_TRANSITIONS } from "./events/phases.ts";
export { matchSegments, patternSegments } from "./events/topics.ts";
export { isObject, objectOf, stringOrNull } from "./json.ts";
export { needsOf } from "./needs/needs-of.ts";
export { CLIENT_LIMITS } from "./limits/client-limits.ts";
export { REQUEST_LIMITS } from "./limits/request-limits.ts";
export { createLineCaller } from "./line-calls/line-caller.ts";
export { isLineReply, members, readFrameLine } from "./line-calls/line-frame.ts";
export { shellQuote } from "./text/plain-text.ts";
export { createLineFramer } from "./text/framing.ts";
export { endBy, endInOwn, laterEnd, stateAfter } from "./workers/worker-life.ts";
export { STATE_SOURCES, WORKER_STATES } from "./workers/worker-words.ts";
