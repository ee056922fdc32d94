/** The schemas of the contract. Importing this loads the schema library, so the command line does it late. */
export { AgentAnswer, AgentQuestion } from "./agent-question.ts";
export { ClawEnvelope, FlatEnvelope, ResponseEnvelope } from "./envelopes/envelope-schemas.ts";
export * from "./events/index.ts";
export type { FakeScenarioText } from "./fake-scenario.ts";
export { FakeScenario } from "./fake-scenario.ts";
export { FleetFile } from "./fleets/fleet-file.ts";
export { jsonSchema, jsonSchemaNames } from "./json-schemas.ts";
export type { ModelScriptText } from "./model-script.ts";
export { ModelScript } from "./model-script.ts";
export { RunAnswer, RunResult } from "./run-result.ts";
export { SessionRecord } from "./session-record.ts";
export { PermissionMode, Settings } from "./settings.ts";
export { describeFields, describeVerb, flagName } from "./verb/describe-verb.ts";
export { globalFlags } from "./verb/global-flags.ts";
export { VERBS } from "./verbs/index.generated.ts";
export { documentedFields } from "./wire/document-request.ts";
export { REQUESTS } from "./wire/requests/index.generated.ts";
export { fieldShapesOf } from "./wire/shape-of.ts";
