import { readdirSync, readFileSync } from "node:fs";
import type { JsonObject, VerbName } from "claw-contract";
import { newWorker, workerViewOf } from "claw-contract";
import { expect, test } from "vitest";
import { showVerb } from "../runtime/run-verb.ts";
import { PLAIN } from "../testing/test-ports.ts";
import { characterWidth, charactersOf } from "./text-width.ts";

/** Names that take another number of columns than they have characters. */
const NAMES = ["plain", "名前を読む", "👩‍👩‍👧‍👦 👍🏽", "cafe\u0301 re\u0301sume\u0301", "🇩🇪한글"];
const AT = "2026-01-01T12:00:00.000Z";

const each = (row: (name: string) => JsonObject): JsonObject[] => NAMES.map(row);
const pipeline = (name: string): JsonObject => ({
  pipeline_id: name,
  name,
  state: "open",
  steps: ["source", "sink"].map((role) => ({ role, terminal_id: name })),
});
const worker = (name: string): JsonObject => ({
  ...workerViewOf(newWorker(`p_${name}`, Date.now())),
  name,
  state: "working",
  phase: "PLAN",
  current_action: name,
  cost_usd: 1,
  permission_mode: name,
  doubts: [],
  approvals: [],
});
const fleetWorker = (name: string): JsonObject => ({
  name,
  peer_id: name,
  status: "done",
  completion: name,
  cost_usd: 1,
  reason: name,
  branch: null,
  changes: null,
});
const approval = (name: string): JsonObject => ({
  approval_id: name,
  worker: name,
  status: "decided",
  decision: "approve",
  by: name,
  rule: null,
  chosen: null,
  message: name,
});
const session = (name: string): JsonObject => ({
  session_id: name,
  message_count: 1,
  last_modified: AT,
  stopped: false,
});
const tool = (name: string): JsonObject => ({ name, required_permission: name, responsibility: name });

interface Sample {
  readonly headings: readonly string[];
  readonly data: JsonObject;
}

const SAMPLES: Partial<Readonly<Record<VerbName, Sample>>> = {
  approvals: { headings: ["ID", "WORKER", "EXPIRES", "WHAT"], data: { approvals: each(approval) } },
  config: {
    headings: ["SETTING", "VALUE", "FILE"],
    data: { values: each((key) => ({ key, value: key, file: key })), files: [{}], load_error: null },
  },
  demo: {
    headings: ["WORKER", "RESULT", "STARTS", "COST"],
    data: {
      workers: each((name) => ({ name, completion: name, attempts: 1, cost_usd: 1 })),
      events_count: 1,
      duration_ms: 1,
      next_steps: [],
    },
  },
  fleet: {
    headings: ["WORKER", "PEER", "STATUS", "RESULT", "COST", "WHY"],
    data: { workers: each(fleetWorker), done: 1, failed: 0, skipped: 0, total_cost_usd: 1, effect: "created" },
  },
  "list-sessions": {
    headings: ["SESSION", "MESSAGES", "CHANGED"],
    data: { sessions: each(session), total_count: NAMES.length },
  },
  machines: {
    headings: ["MACHINE", "STATE", "WORKERS", "VERSION", "SEEN"],
    data: {
      machines: each((name) => ({ name, here: false, up: true, running: 1, slots: 2, version: name, last_seen: AT })),
    },
  },
  manifest: {
    headings: ["COMMAND", "DANGER", "DESCRIPTION"],
    data: { commands: Object.fromEntries(NAMES.map((name) => [name, { danger_level: name, description: name }])) },
  },
  peers: {
    headings: ["PEER", "ROLE", "NAME", "PHASE", "SEEN"],
    data: { peers: each((name) => ({ peer_id: name, role: name, name, phase: name, stale: false, last_seen: AT })) },
  },
  "pipeline list": {
    headings: ["PIPELINE", "NAME", "STATE", "FROM", "TO"],
    data: { pipelines: each(pipeline) },
  },
  ps: {
    headings: ["NAME", "STATE", "MAY", "PHASE", "FOR", "COST", "DOING"],
    data: { workers: each(worker), hidden_count: 0, budgets_reached: [] },
  },
  "mcp status": {
    headings: ["CLIENT", "SCOPE", "STATE", "TOOLS", "FILE"],
    data: {
      entries: each((name) => ({
        client: name,
        scope: name,
        state: "works",
        tools: 1,
        current: true,
        error: null,
        path: name,
      })),
    },
  },
  "notify test": {
    headings: ["CHANNEL", "NOTICE", "TIME", "ANSWER"],
    data: {
      delivery_id: "d1",
      deliveries: each((channel) => ({ channel, delivered: true, detail: channel, duration_ms: 1 })),
      effect: "created",
    },
  },
  "tasks list": {
    headings: ["TASK", "STATUS", "ASSIGNEE", "CHANGED", "TITLE"],
    data: { tasks: each((name) => ({ task_id: name, status: name, assignee: name, updated_at: AT, title: name })) },
  },
  "terminal list": {
    headings: ["TERMINAL", "NAME", "STATE", "WORKER", "OPENED"],
    data: {
      terminals: each((name) => ({ terminal_id: name, name, state: name, worker_id: name, opened_at: AT })),
    },
  },
  "tokens list": {
    headings: ["TOKEN", "ROLE", "PEER", "EXPIRES"],
    data: { tokens: each((name) => ({ token_id: name, role: name, peer: name, expires_at: AT })) },
  },
  "tool-pool": { headings: ["TOOL", "PERMISSION", "DOES"], data: { tools: each(tool), tool_count: 1 } },
  "wave status": {
    headings: ["ROLE", "NAME", "STATE"],
    data: { wave: "w", complete: true, members: each((name) => ({ role: name, name, complete: true })) },
  },
};

/** The character that a terminal shows in each column; the right half of a wide character is empty. */
const columnsOf = (line: string): string[] =>
  charactersOf(line).flatMap((character) => [character, ""].slice(0, characterWidth(character)));

/** Rows in which a cell does not begin below its heading, behind two blanks. */
function crookedRows(text: string, headings: readonly string[]): string[] {
  const lines = text.split("\n");
  const head = lines.findIndex((line) => headings.every((heading) => line.includes(heading)));
  const [, ...starts] = headings.map((heading) => lines[head]?.indexOf(heading) ?? 0);
  return lines.slice(head + 1, head + 1 + NAMES.length).filter((line) => {
    const row = columnsOf(line);
    return !starts.every((start) => /^ {2}\S/.test(row.slice(start - 2, start + 1).join("")));
  });
}

test.each(Object.entries(SAMPLES))("%s aligns names of wide characters", async (verb, { headings, data }) => {
  const text = await showVerb(verb as VerbName, data, PLAIN);
  expect(text.split("\n").length).toBeGreaterThan(NAMES.length);
  expect(crookedRows(text, headings)).toEqual([]);
});

test.each([
  ["fake-agent", { scenarios: each((id) => ({ id, summary: "|" })) }],
  ["command-graph", { builtins: each((name) => ({ name, responsibility: "|" })), plugin_like: [], skill_like: [] }],
] as const)("%s aligns what stands beside wide names", async (verb, data) => {
  const lines = (await showVerb(verb, data, PLAIN)).split("\n").filter((line) => line.includes("|"));
  expect(lines).toHaveLength(NAMES.length);
  expect(new Set(lines.map((line) => columnsOf(line).indexOf("|")))).toHaveProperty("size", 1);
});

test("every verb that prints a table has a sample here", () => {
  const folder = new URL("..", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
    /^(?!text).*\.ts$/.test(path),
  );
  const tables = files.filter((path) => /\b(?:table|tableCells)\(/.test(readFileSync(new URL(path, folder), "utf8")));
  expect(tables).toHaveLength(Object.keys(SAMPLES).length);
});
