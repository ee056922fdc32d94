import type { VerbName } from "@claw/contract";
import type { Seed } from "./seed.ts";
import { SEED_MS } from "./seed.ts";

/** A call whose answer is always the same once times, ids and paths are taken out. */
export interface Scenario {
  readonly seeds: readonly Seed[];
  readonly argv: readonly string[];
}

const HOUR_MS = 3_600_000;

const review: Seed = { kind: "session", id: "review", atMs: SEED_MS, prompts: ["review the parser", "and its tests"] };
const rename: Seed = { kind: "session", id: "rename", atMs: SEED_MS + HOUR_MS };
const settings: Seed = {
  kind: "file",
  path: ".claw/settings.json",
  text: JSON.stringify({ model: "claude-opus-4-5", permissions: { defaultMode: "read-only" } }),
};
const brokenSettings: Seed = { kind: "file", path: ".claw/settings.json", text: '{ "model": ' };

/** One for each verb. */
const VERB_SCENARIOS: Readonly<Record<VerbName, Scenario>> = {
  completion: { seeds: [], argv: ["completion", "bash"] },
  config: { seeds: [settings], argv: ["config"] },
  "delete-session": { seeds: [review], argv: ["delete-session", "review"] },
  doctor: { seeds: [review, settings], argv: ["doctor"] },
  export: { seeds: [review], argv: ["export", "--session", "review"] },
  "flush-transcript": { seeds: [], argv: ["flush-transcript", "review the parser"] },
  help: { seeds: [], argv: ["help", "export"] },
  init: { seeds: [], argv: ["init"] },
  "list-sessions": { seeds: [review, rename], argv: ["list-sessions"] },
  "load-session": { seeds: [review], argv: ["load-session", "review"] },
  manifest: { seeds: [], argv: ["manifest"] },
  schema: { seeds: [], argv: ["schema", "load-session.output"] },
  status: { seeds: [review, settings, { kind: "repository", branch: "main" }], argv: ["status"] },
  version: { seeds: [], argv: ["version"] },
};

/** Failures, pages and other answers of their own shape. */
const CASE_SCENARIOS: Readonly<Record<string, Scenario>> = {
  "config.unknown-section": { seeds: [], argv: ["config", "modle"] },
  "delete-session.not-found": { seeds: [], argv: ["delete-session", "does-not-exist"] },
  "doctor.failed": { seeds: [brokenSettings], argv: ["doctor"] },
  "export.no-sessions": { seeds: [], argv: ["export"] },
  "init.dry-run": { seeds: [], argv: ["init", "--dry-run"] },
  "interactive-only": { seeds: [], argv: [] },
  "list-sessions.page": { seeds: [review, rename], argv: ["list-sessions", "--limit", "1"] },
  "load-session.not-found": { seeds: [], argv: ["load-session", "does-not-exist"] },
  "parse-error": { seeds: [], argv: ["list-sessions", "extra", "--limit", "0", "--bogus"] },
  redirect: { seeds: [], argv: ["session", "delete", "my session"] },
  timeout: { seeds: [], argv: ["status", "--timeout-seconds", "0"] },
  "unknown-command": { seeds: [], argv: ["statuz"] },
};

export const SCENARIOS: Readonly<Record<string, Scenario>> = { ...VERB_SCENARIOS, ...CASE_SCENARIOS };
