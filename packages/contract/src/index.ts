/** Everything of the contract that needs no schema library. Schemas are behind `claw-contract/schemas`. */
export type { AgentAnswer, AgentQuestion } from "./runs/agent-question.ts";
export * from "./approvals/index.ts";
export * from "./budgets/index.ts";
export type { CancelSignal } from "./cancel-signal.ts";
export { createCancel, onAbort } from "./cancel-signal.ts";
export type { ClawErrorOptions, Redirect } from "./errors/coded-error.ts";
export { CLIENT_LIMITS } from "./limits/client-limits.ts";
export type { SlashCommandName } from "./slash-command-names.ts";
export { SLASH_COMMAND_NAMES } from "./slash-command-names.ts";
export * from "./commands/index.ts";
export { nearest } from "./text/edit-distance.ts";
export type { Envelope, Notes, Outcome, Reply, Result } from "./envelopes/index.ts";
export { ENVELOPES, exitCodeFor, RESERVED_NAMES, respond, SCHEMA_VERSION } from "./envelopes/index.ts";
export type { Environment } from "./settings/environment.ts";
export { ENVIRONMENT } from "./settings/environment.ts";
export { environmentSecrets } from "./redaction/secret-name.ts";
export type { ErrorClass, ErrorPhase, ErrorRow } from "./errors/error-row.ts";
export { ERROR_CLASSES } from "./errors/error-row.ts";
export type { ErrorCode } from "./errors/errors.ts";
export { ClawError, ERROR_CODES, errorRow } from "./errors/errors.ts";
export type { WireErrorCode } from "./errors/wire-error-codes.ts";
export { BUS_ERROR_CODES, CLIENT_ERROR_CODES } from "./errors/wire-error-codes.ts";
export { etagOf } from "./text/etag.ts";
export * from "./events/command-header.ts";
export { cursorAt, epochOf, OLDEST } from "./events/cursor.ts";
export * from "./events/event-limits.ts";
export * from "./events/mission-phases.ts";
export * from "./events/phases.ts";
export * from "./events/schema-name.ts";
export * from "./events/topics.ts";
export type { ExitEntry, ExitName } from "./errors/exits.ts";
export { exitName, exitNumber, EXITS } from "./errors/exits.ts";
export type { FakeScenario, FakeStep } from "./runs/fake-scenario.ts";
export type { FleetFile, FleetFileWorker } from "./fleets/fleet-file.ts";
export * from "./fleets/index.ts";
export type { FramedLine, LineFramer } from "./text/framing.ts";
export { createLineFramer, LF } from "./text/framing.ts";
export { isTooDeep } from "./text/is-too-deep.ts";
export type { ErrorCategory, HarnessId } from "./runs/harness-names.ts";
export { ERROR_CATEGORIES, HARNESS_IDS, WRITES_DOWN_CALLS } from "./runs/harness-names.ts";
export * from "./interpret/index.ts";
export { isoTime } from "./iso-time.ts";
export type { JsonObject, JsonValue } from "./json.ts";
export {
  arrayOf,
  countOf,
  isObject,
  memberPath,
  nonEmptyText,
  numberOf,
  numberOrNull,
  objectOf,
  parseJson,
  parseObject,
  stringOf,
  stringOrNull,
  textOf,
  textsOf,
} from "./json.ts";
export { LIMITS } from "./limits/limits.ts";
export * from "./line-calls/index.ts";
export type { ModelScript, ScriptedTurn } from "./models/model-script.ts";
export * from "./permissions/index.ts";
export type { ModelPrice, PriceOverrides, PricedTokens } from "./models/prices.ts";
export { contextWindow, costOf, MODEL_NAMES, priceOf, PRICES_AS_OF } from "./models/prices.ts";
export type { Redactor } from "./redaction/redact.ts";
export type { MaskedStream } from "./redaction/masked-stream.ts";
export { createMaskedStream } from "./redaction/masked-stream.ts";
export { createRedactor, isSecretName, MASK } from "./redaction/redact.ts";
export { FLAG_RENAMES, RENAMES } from "./verb/renames.ts";
export type { RunAnswer, RunResult } from "./runs/run-result.ts";
export type {
  ContentBlock,
  SessionMessage,
  SessionMeta,
  SessionRecord,
  SessionTotals,
  SummaryKind,
} from "./sessions/session-record.ts";
export { SESSION_FILE_VERSION, TURN_STOP_REASONS, blockText } from "./sessions/session-words.ts";
export type { Settings } from "./settings/settings.ts";
export type { SandboxKind } from "./settings/settings-words.ts";
export { PROVIDER_KINDS, SANDBOX_CHOICES, SANDBOX_KINDS } from "./settings/settings-words.ts";
export { shellQuote, replaceControls, unicodeEscape } from "./text/plain-text.ts";
export * from "./needs/index.ts";
export * from "./notify/index.ts";
export * from "./tools/index.ts";
export * from "./trouble/index.ts";
export { fitsStars } from "./text/fits-stars.ts";
export type { LifeEnd, TranscriptMark } from "./runs/transcript-mark.ts";
export { LIFE_ENDS, MARK_TYPE } from "./runs/transcript-mark.ts";
export { cutChars, firstChars, oneLine, trimEndOf } from "./text/plain-text.ts";
export type { AnsiStripper } from "./text/strip-ansi.ts";
export { commandText, createAnsiStripper, stripAnsi } from "./text/strip-ansi.ts";
export type { TurnStopReason } from "./sessions/session-words.ts";
export { COMMON_ERRORS, DISPATCH_ERRORS, errorsOf } from "./verb/common-errors.ts";
export type { Effect, Example, Verb } from "./verb/define-verb.ts";
export type { FieldSpec, FieldType, FlagSpelling, VerbSpec } from "./verb/verb-spec.ts";
export type { VerbMatch } from "./verb/verb-words.ts";
export { actionsOf, FAMILIES, isFamily, matchVerb, verbId, wordsOf } from "./verb/verb-words.ts";
export type { VerbGroup } from "./verb/verb-groups.ts";
export { groupVerbs, VERB_GROUPS } from "./verb/verb-groups.ts";
export type { VerbInput, VerbItem, VerbName, VerbOutput } from "./verb/verb-types.ts";
export { WORD_HINTS } from "./verb/word-hints.ts";
export * from "./workers/worker-job.ts";
export * from "./workers/worker-words.ts";
export * from "./workers/index.ts";
export type { Capability } from "./wire/capabilities.ts";
export { CAPABILITIES } from "./wire/capabilities.ts";
export type { RoutedBy, WireRole } from "./wire/define-request.ts";
export type { ReadFields } from "./wire/read-fields.ts";
export type { FieldShape, Shape } from "./wire/shape.ts";
export { WORKER_SCHEMA_NAMES } from "./events/worker-schema-names.generated.ts";
export type { Check } from "./wire/check-shape.ts";
export { checkOf } from "./wire/check-shape.ts";
export { RECORD_SHAPES, SETTINGS_SHAPES } from "./wire/file-shapes.generated.ts";
export { fieldProblem, shapeProblem } from "./wire/shape-problem.ts";
export * from "./wire/terminal-host/index.ts";
export * from "./wire/terminals/index.ts";
export type { SpawnFields } from "./wire/spawn-request.ts";
export { spawnRequest } from "./wire/spawn-request.ts";
export type { RequestSpec } from "./wire/wire-table.ts";
export type { VersionRange } from "./wire/versions.ts";
export { commonVersion, compareReleases, rangeOf, VERSIONS } from "./wire/versions.ts";
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
