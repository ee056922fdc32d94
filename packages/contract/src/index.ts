/** Everything of the contract that needs no schema library. Schemas are behind `@claw/contract/schemas`. */
export type { AgentAnswer, AgentQuestion } from "./agent-question.ts";
export * from "./approvals/index.ts";
export * from "./budgets/index.ts";
export type { CancelSignal } from "./cancel-signal.ts";
export { createCancel, onAbort } from "./cancel-signal.ts";
export type { ClawErrorOptions, Redirect } from "./claw-error.ts";
export { ClawError } from "./claw-error.ts";
export { CLIENT_LIMITS } from "./client-limits.ts";
export type { CommandName } from "./command-names.ts";
export { COMMAND_NAMES } from "./command-names.ts";
export * from "./commands/index.ts";
export { nearest } from "./edit-distance.ts";
export type { Envelope, Notes, Outcome, Reply, Result } from "./envelopes/index.ts";
export { ENVELOPES, exitCodeFor, RESERVED_NAMES, respond, SCHEMA_VERSION } from "./envelopes/index.ts";
export { ENVIRONMENT } from "./environment.ts";
export { environmentSecrets } from "./environment-secrets.ts";
export type { ErrorClass, ErrorPhase, ErrorRow } from "./errors/error-row.ts";
export { ERROR_CLASSES } from "./errors/error-row.ts";
export type { ErrorCode } from "./errors.ts";
export { ERROR_CODES, errorRow } from "./errors.ts";
export { etagOf } from "./etag.ts";
export * from "./events/command-header.ts";
export * from "./events/event-limits.ts";
export * from "./events/mission-phases.ts";
export * from "./events/phases.ts";
export * from "./events/schema-name.ts";
export * from "./events/topics.ts";
export type { ExitEntry, ExitName } from "./exits.ts";
export { exitName, exitNumber, EXITS } from "./exits.ts";
export type { FakeScenario, FakeStep } from "./fake-scenario.ts";
export type { FleetFile, FleetFileWorker } from "./fleets/fleet-file.ts";
export * from "./fleets/index.ts";
export type { FramedLine, LineFramer } from "./framing.ts";
export { createLineFramer } from "./framing.ts";
export type { ErrorCategory, HarnessId } from "./harness-names.ts";
export { ERROR_CATEGORIES, HARNESS_IDS, WRITES_DOWN_CALLS } from "./harness-names.ts";
export * from "./interpret/index.ts";
export type { JsonObject, JsonValue } from "./json.ts";
export { fieldsOf } from "./json.ts";
export { LIMITS } from "./limits.ts";
export * from "./line-calls/index.ts";
export type { ModelScript, ScriptedTurn } from "./model-script.ts";
export * from "./permissions/index.ts";
export type { ModelPrice, PriceOverrides, UsedTokens } from "./prices.ts";
export { contextWindow, costOf, MODEL_NAMES, priceOf, PRICES_AS_OF } from "./prices.ts";
export type { Redactor } from "./redact.ts";
export type { MaskedStream } from "./masked-stream.ts";
export { createMaskedStream } from "./masked-stream.ts";
export { createRedactor, isSecretName, MASK } from "./redact.ts";
export { FLAG_RENAMES, RENAMES } from "./renames.ts";
export type { RunAnswer, RunResult } from "./run-result.ts";
export type {
  ContentBlock,
  SessionMessage,
  SessionMeta,
  SessionRecord,
  SessionTotals,
  SummaryKind,
} from "./session-record.ts";
export { SESSION_FILE_VERSION } from "./session-version.ts";
export type { Settings } from "./settings.ts";
export { PROVIDER_KINDS, SANDBOX_CHOICES } from "./settings-words.ts";
export { shellQuote } from "./shell-quote.ts";
export * from "./trouble/index.ts";
export { fitsStars } from "./fits-stars.ts";
export type { LifeEnd, TranscriptMark } from "./transcript-mark.ts";
export { LIFE_ENDS, MARK_TYPE } from "./transcript-mark.ts";
export { trimEndOf } from "./trim-end-of.ts";
export type { AnsiStripper } from "./strip-ansi.ts";
export { commandText, createAnsiStripper, stripAnsi } from "./strip-ansi.ts";
export type { TurnStopReason } from "./turn-stop-reason.ts";
export { TURN_STOP_REASONS } from "./turn-stop-reason.ts";
export { COMMON_ERRORS, DISPATCH_ERRORS, errorsOf } from "./verb/common-errors.ts";
export type { Effect, Example, Verb } from "./verb/define-verb.ts";
export type { FieldSpec, FieldType, VerbSpec } from "./verb/verb-spec.ts";
export type { VerbMatch } from "./verb/verb-words.ts";
export { actionsOf, FAMILIES, isFamily, matchVerb, verbId, wordsOf } from "./verb/verb-words.ts";
export type { VerbGroup } from "./verb/verb-groups.ts";
export { groupVerbs, VERB_GROUPS } from "./verb/verb-groups.ts";
export type { VerbInput, VerbItem, VerbName, VerbOutput } from "./verb/verb-types.ts";
export { WORD_HINTS } from "./word-hints.ts";
export * from "./worker-job.ts";
export * from "./worker-words.ts";
export * from "./workers/index.ts";
export type { Capability } from "./wire/capabilities.ts";
export { CAPABILITIES } from "./wire/capabilities.ts";
export type { WireRole } from "./wire/define-request.ts";
export type { ReadFields } from "./wire/read-fields.ts";
export type { FieldShape, Shape } from "./wire/shape.ts";
export * from "./wire/terminal-host/index.ts";
export * from "./wire/terminals/index.ts";
export type { SpawnFields } from "./wire/spawn-request.ts";
export { spawnRequest } from "./wire/spawn-request.ts";
export type { RequestSpec } from "./wire/wire-table.ts";
export { isReplyTo, misfitIn } from "./wire/reply-check.ts";
export { REQUEST_NAMES, requestReader, requestSpec } from "./wire/wire-table.ts";
export type {
  Immutable,
  OpenRequestName,
  ReadRequest,
  ReceivedReply,
  ReplyFields,
  RequestFields,
  RequestName,
  RequestRest,
} from "./wire/wire-types.ts";
