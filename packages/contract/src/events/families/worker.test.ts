import { describe, expect, test } from "vitest";
import { readEvent } from "../read-event.ts";

const boot = {
  model: "claude-sonnet-4-6",
  role: "worker",
  parent_peer_id: "p_000001",
  mission_summary: "Audit src/server.ts for security issues",
  capabilities: ["mcp_claws", "sub_workers", "long_thinking"],
  cwd: "/Users/.../Desktop/Claws",
  terminal_id: "5",
};
const phase = {
  phase: "DEPLOY",
  prev: "SPAWN",
  transition_reason: "all-workers-spawned",
  phases_completed: ["PLAN", "SPAWN", "DEPLOY"],
  metadata: {},
};
const heartbeat = {
  current_phase: "OBSERVE",
  time_in_phase_ms: 47000,
  tokens_used: 5421,
  cost_usd: 0.78,
  last_event_id: "1b4e28ba-2fa1-4d3b-883f-0016d3cca427",
  active_sub_workers: ["p_000004"],
};
const complete = {
  result: "ok",
  summary: "audited 7 files, found 2 issues — see /tmp/audit.md",
  artifacts: [{ path: "/tmp/audit.md", type: "markdown" }],
  phases_completed: ["PLAN", "SPAWN", "DEPLOY", "OBSERVE", "HARVEST", "CLEANUP", "REFLECT"],
  total_tokens: 18420,
  total_cost_usd: 2.41,
  duration_ms: 412000,
};

const examples = [
  ["boot", boot, ["model", "role", "mission_summary", "cwd", "terminal_id"]],
  ["phase", phase, ["phase", "prev", "transition_reason", "phases_completed"]],
  ["heartbeat", heartbeat, ["current_phase", "time_in_phase_ms", "tokens_used", "cost_usd"]],
  ["complete", complete, ["result", "summary", "artifacts", "phases_completed"]],
] as const;

const reasonOf = (name: string, data: unknown): string => {
  const result = readEvent(`worker.p_000002.${name}`, data);
  return result.ok ? "ok" : result.reason;
};

describe.each(examples)("worker.*.%s", (name, data, required) => {
  const schema = `worker-${name}-v1`;
  const topic = `worker.p_000002.${name}`;

  test("is read from its envelope and bare", () => {
    const envelope = { schema, data };
    expect(readEvent(topic, envelope)).toEqual({ ok: true, event: { topic, schema, data, envelope } });
    expect(readEvent(topic, data)).toEqual({ ok: true, event: { topic, schema, data, envelope: null } });
  });

  test.each(required)("requires %s", (field) => {
    const { [field]: _, ...rest } = data as Record<string, unknown>;
    expect(readEvent(topic, { schema, data: rest })).toMatchObject({
      ok: false,
      reason: "malformed",
      problems: [{ path: ["data", field] }],
    });
  });

  test("requires nothing else", () => {
    const known: Record<string, unknown> = data;
    expect(reasonOf(name, Object.fromEntries(required.map((field) => [field, known[field]])))).toBe("ok");
  });

  test("keeps fields it does not know", () => {
    const extended = { ...data, invented_later: [1, { deep: true }] };
    expect(readEvent(topic, extended)).toMatchObject({ ok: true, event: { data: extended } });
  });

  test.each(Object.keys(data))("refuses another type in %s", (field) => {
    expect(reasonOf(name, { ...data, [field]: Symbol.iterator })).toBe("malformed");
  });
});

describe("values of worker events", () => {
  test.each([
    ["boot", { ...boot, role: "root" }],
    ["boot", { ...boot, model: "" }],
    ["phase", { ...phase, phase: "DONE" }],
    ["phase", { ...phase, phases_completed: ["PLAN", "NAP"] }],
    ["heartbeat", { ...heartbeat, cost_usd: -1 }],
    ["heartbeat", { ...heartbeat, tokens_used: Number.NaN }],
    ["heartbeat", { ...heartbeat, kind: "sleepy" }],
    ["complete", { ...complete, result: "done" }],
    ["complete", { ...complete, artifacts: [{ type: "markdown" }] }],
  ])("a %s outside its range is refused", (name, data) => {
    expect(reasonOf(name, data)).toBe("malformed");
  });

  test.each([
    ["boot", { ...boot, parent_peer_id: null, terminal_id: "" }],
    ["phase", { ...phase, phase: "PLAN", prev: null, phases_completed: [] }],
    ["heartbeat", { ...heartbeat, severity: "fatal", message: "received SIGINT", last_event_id: null }],
    ["complete", { ...complete, result: "cancelled", artifacts: [{ path: "/tmp/audit.md" }] }],
  ])("a %s at the edge of its range is accepted", (name, data) => {
    expect(reasonOf(name, data)).toBe("ok");
  });
});
