import { hostname, release, userInfo } from "node:os";
import { BINARY } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Members whose value differs from call to call, and what a good one looks like. Others stay and are compared. */
const VOLATILE: Readonly<Record<string, RegExp>> = {
  timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/,
  duration_ms: /^\d+$/,
  duration_seconds: /^\d+(\.\d+)?$/,
  request_id: /^req_[a-z0-9]{12,}$/,
  run_id: /^run_[0-9a-f-]{36}$/,
  // What a model is told names folders and the day, so that its size differs.
  input_tokens: /^\d{3,}$/,
  runtime_version: /^\d+\.\d+\.\d+$/,
  platform_name: /^linux-\S+$/,
  etag: /^[0-9a-f]{16}$/,
  tool_version: /^\d+\.\d+\.\d+$/,
  framework_version: /^\d+\.\d+\.\d+$/,
  version: /^\d+\.\d+\.\d+$/,
  node_version: /^\d+\.\d+\.\d+$/,
  platform: /^[a-z0-9]+$/,
  arch: /^[a-z0-9]+$/,
  pid: /^[1-9]\d*$/,
  id: UUID,
  started_at: TIME,
  opened_at: TIME,
  deadline: TIME,
  last_seen: TIME,
  last_progress: TIME,
  since: TIME,
  as_of: TIME,
  // The clock of the daemon may have told of a worker before.
  evidence: /^\d+$/,
  sequence: /^\d+$/,
  updated_at: TIME,
  ts_published: TIME,
  ts: TIME,
  ts_server: TIME,
  assigned_at: TIME,
  // Sessions that a test seeds have a time of their own.
  created_at: /^(?!2026-04-22T)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  completed_at: TIME,
  mission_started_at: TIME,
  session_started_at: TIME,
  terminal_id: /^[1-9]\d*$/,
  task_id: /^t_\d{3}$/,
  pipeline_id: /^pipe_\d{4}$/,
  step_id: /^pipe_\d{4}_step_\d$/,
  expires_at: TIME,
  token_id: UUID,
  token: /^claw1\.[\w-]+\.[\w-]+$/,
  // Whoever asks is himself an event, which may or may not be stored yet.
  resume_cursor: /^\d{4}:\d+$/,
};

type Replacement = readonly [pattern: string | RegExp, name: string];

const replacements = ({ cwd, home }: Workspace): readonly Replacement[] => [
  [cwd, "<cwd>"],
  [home, "<home>"],
  [BINARY, "<binary>"],
  [process.execPath, "<node>"],
  [process.env["PATH"] ?? "no path", "<path>"],
  [/claw([-.])project-[0-9a-f]{8}/g, "claw$1project-<workspace>"],
  [/\/state\/claw\/[0-9a-f]{16}/g, "/state/claw/<workspace>"],
  [/session-\d{13}-[a-z0-9]{1,8}/g, "<new session>"],
  [/process \d+/g, "process <pid>"],
  [/127\.0\.0\.1:[1-9]\d*/g, "127.0.0.1:<port>"],
  [/[\w-]{12}\/enter\?code=[\w-]{16}/g, "<key>/enter?code=<code>"],
  [/git version \S+/g, "git version <git>"],
  [/Node \d+\.\d+\.\d+ on \w+ \w+/g, "Node <node>"],
];

/** The answer without what changes from call to call, machine to machine and release to release. */
export function normalise(answer: unknown, workspace: Workspace): unknown {
  const rules = replacements(workspace);
  const text = (value: string): string => rules.reduce((rest, [from, to]) => rest.replaceAll(from, to), value);
  const walk = (value: unknown): unknown => {
    if (typeof value === "string") return text(value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map(walk);
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, named(name, member)]));
  };
  const named = (name: string, value: unknown): unknown => {
    const scalar = typeof value === "string" || typeof value === "number";
    return scalar && VOLATILE[name]?.test(String(value)) ? `<${name}>` : walk(value);
  };
  return walk(answer);
}

const RECENT_MS = 3_600_000;

/** What a value tells of this machine or of this call; undefined when it is the same everywhere. */
function whatIsOwn(value: string | number): string | undefined {
  const text = String(value);
  const own = { "the name of this machine": hostname(), "the release of its system": release() };
  const found = Object.entries(own).find(([, word]) => text.split(/[^\w.-]+/).includes(word))?.[0];
  if (found !== undefined) return found;
  if (text.split("/").includes(userInfo().username) && text.startsWith("/")) return "the name of its user";
  if (UUID.test(text)) return "an id that was just made";
  return TIME.test(text) && Date.now() - Date.parse(text) < RECENT_MS ? "the time of the call" : undefined;
}

/**
 * Every member of a normalised answer that differs on another machine or in another call, in a sentence that says what
 * to do. An answer with such a member is never stored.
 */
export function volatileMembers(answer: unknown, path = "", member = ""): string[] {
  if (typeof answer === "string" || typeof answer === "number") {
    const what = whatIsOwn(answer);
    const remedy = `add a row for ${member} to VOLATILE in test/e2e/normalise.ts`;
    return what === undefined ? [] : [`${path} is ${what}, ${answer}: ${remedy}`];
  }
  if (typeof answer !== "object" || answer === null) return [];
  return Object.entries(answer).flatMap(([name, value]) =>
    volatileMembers(value, path === "" ? name : `${path}.${name}`, Array.isArray(answer) ? member : name),
  );
}
