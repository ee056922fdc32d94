import type { Envelope, ErrorCode } from "claw-contract";
import type { Scenario } from "./golden-scenarios.ts";
import type { Seed } from "./seed.ts";
import { SEED_MS } from "./seed.ts";

/** How a JSON block of a source document is shown to hold. */
export type Mapping =
  /**
   * A real call answers with these keys and types. `except` names members that are only an example, `within` the member
   * of the answer that the block shows, `same` members of its error whose very values hold.
   */
  | {
      readonly by: "call";
      readonly scenario: Scenario;
      readonly envelope: Envelope;
      readonly except?: string;
      readonly within?: string;
      readonly same?: readonly string[];
    }
  /** No verb raises this code yet, so the envelope is made as it would be. */
  | { readonly by: "respond"; readonly code: ErrorCode; readonly retryAfterMs?: number }
  /** The block describes what claw deliberately does not do. */
  | { readonly by: "nothing"; readonly reason: string };

const session: Seed = { kind: "session", id: "sess_abc123", atMs: SEED_MS };
const settings: Seed = {
  kind: "file",
  path: ".claw/settings.json",
  text: JSON.stringify({ model: "claude-opus-4-5" }),
};
const repository: Seed = { kind: "repository", branch: "main" };

const packageJson: Seed = { kind: "file", path: "package.json", text: '{ "scripts": { "test": "node test.mjs" } }' };
const SCRIPTED = ["--model", "scripted"];

/** A conversation is compacted as soon as it has enough messages. */
const compactSoon: Seed = {
  kind: "file",
  path: ".claw/settings.json",
  text: JSON.stringify({ compaction: { thresholdTokens: 1 } }),
};
const look = { blocks: [{ type: "tool", name: "glob_search", input: { pattern: "*.json" } }] };
const longScript: Seed = {
  kind: "file",
  path: "long.json",
  text: JSON.stringify({ turns: [look, look, look, { blocks: [{ type: "text", text: "done" }] }] }),
};

const call = (envelope: Envelope, argv: readonly string[], ...seeds: Seed[]): Mapping => ({
  by: "call",
  scenario: { argv, seeds },
  envelope,
});

const stub = (verb: string): Mapping => ({
  by: "nothing",
  reason: `nothing is a stub: ${verb} does its work, and the document's target shape is what is held`,
});

/** Every block that says something about a verb there is. Names are `<document>/<file>`. */
export const MAPPINGS: Readonly<Record<string, Mapping>> = {
  "000/common-fields": call("claw", ["list-sessions"]),
  // The document's own example fails in a write whose folder is missing; here that is an export.
  "000/error": {
    by: "call",
    scenario: { argv: ["export", "missing/out.md"], seeds: [session] },
    envelope: "claw",
    same: ["kind", "operation", "retryable"],
  },
  "000/not-found": {
    by: "call",
    scenario: { argv: ["load-session", "does-not-exist"], seeds: [] },
    envelope: "claw",
    same: ["kind", "message", "retryable"],
  },
  // Both shapes of a session verb are served at once, the shorter one within the longer.
  "000/list-sessions.actual": call("claw", ["list-sessions"], session),
  "000/list-sessions": call("claw", ["list-sessions"], session),
  "000/delete-session.stub": stub("delete-session"),
  "000/delete-session": call("claw", ["delete-session", "sess_abc123"], session),
  "000/load-session.actual": call("claw", ["load-session", "sess_abc123"], session),
  // A short error without common fields and with a text as `error` is what the flat envelope is.
  "000/load-session.not-found": call("flat", ["load-session", "nonexistent"]),
  "000/load-session": call("claw", ["load-session", "sess_abc123"], session),
  "000/flush-transcript.stub": stub("flush-transcript"),
  "000/flush-transcript": call("claw", ["flush-transcript", "hello"]),
  "000/show-command": call("claw", ["show-command", "add-dir"]),
  "000/show-tool": call("claw", ["show-tool", "BashTool"]),
  "000/exec-command": call("claw", ["exec-command", "add-dir", "create src/util/"]),
  "000/exec-tool": call("claw", ["exec-tool", "BashTool", "true", "--permission-mode", "danger-full-access"]),
  "000/route": call("claw", ["route", "add a test", "--limit", "10"]),
  "000/command-graph": call("claw", ["command-graph"]),
  "000/tool-pool": call("claw", ["tool-pool"]),
  "000/bootstrap-graph": call("claw", ["bootstrap-graph"]),
  "000/bootstrap": call("claw", ["bootstrap", "hello", ...SCRIPTED], packageJson),
  "001/prompt": call("flat", ["-p", "hello", ...SCRIPTED]),
  "001/prompt-compact": call("flat", ["-p", "hello", "--compact", ...SCRIPTED]),
  "001/auto-compaction": {
    by: "call",
    scenario: { argv: ["-p", "look", "--model", "scripted:long.json"], seeds: [compactSoon, longScript] },
    envelope: "flat",
    within: "auto_compaction",
  },
  "001/error": call("flat", ["statuz"]),
  "001/status": call("flat", ["status"], settings, repository),
  "002/success": {
    by: "call",
    scenario: { argv: ["version"], seeds: [] },
    envelope: "response",
    except: "data",
  },
  "002/arg-error": call("response", ["status", "--permission-mode", "prodution"]),
  "002/token-expired": { by: "respond", code: "TOKEN_EXPIRED" },
  "002/redirected": call("response", ["session", "list"]),
  "002/rate-limited": { by: "respond", code: "RATE_LIMIT_EXCEEDED", retryAfterMs: 30_000 },
};

/** Blocks of verbs that do not exist. When such a verb arrives, its block moves to the table above. */
export const NOT_YET: Readonly<Record<string, string>> = {};
