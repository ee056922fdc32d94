export { exitCodeFor, respond } from "./respond.ts";
export type { Envelope, Notes, Outcome, Reply, Result } from "./outcome.ts";
export { ENVELOPES, RESERVED_NAMES, SCHEMA_VERSION } from "./outcome.ts";
