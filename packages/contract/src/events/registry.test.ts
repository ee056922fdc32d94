import { describe, expect, test } from "vitest";
import * as z from "zod";
import { EventEnvelope } from "./envelope.ts";
import { EVENTS, schemaByName, schemaForTopic, schemaNames, versionsOf } from "./registry.ts";
import { parseSchemaName } from "./schema-name.ts";
import { isTopicPattern } from "./topics.ts";
import { WorkerBoot } from "./families/worker.ts";

/** Pattern, schema and required fields that every client of the protocol relies on. */
const promised = [
  ["worker.*.boot", "worker-boot-v1", ["model", "role", "mission_summary", "cwd", "terminal_id"]],
  ["worker.*.phase", "worker-phase-v1", ["phase", "prev", "transition_reason", "phases_completed"]],
  ["worker.*.event", "worker-event-v1", ["kind", "severity", "message"]],
  ["worker.*.heartbeat", "worker-heartbeat-v1", ["current_phase", "time_in_phase_ms", "tokens_used", "cost_usd"]],
  ["worker.*.complete", "worker-complete-v1", ["result", "summary", "artifacts", "phases_completed"]],
  ["cmd.*.approve", "cmd-approve-v1", ["correlation_id"]],
  ["cmd.*.reject", "cmd-reject-v1", ["correlation_id", "reason"]],
  ["cmd.*.abort", "cmd-abort-v1", ["reason"]],
  ["cmd.*.pause", "cmd-pause-v1", []],
  ["cmd.*.resume", "cmd-resume-v1", []],
  ["cmd.*.set_phase", "cmd-set-phase-v1", ["phase", "reason"]],
  ["cmd.*.spawn", "cmd-spawn-v1", ["name", "mission"]],
  ["cmd.*.inject_text", "cmd-inject-text-v1", ["text"]],
  ["system.peer.joined", "system-peer-joined-v1", ["peerId", "role", "peerName", "ts"]],
  ["system.peer.left", "system-peer-left-v1", ["peerId", "role", "reason"]],
  ["system.peer.stale", "system-peer-stale-v1", ["peerId", "last_seen", "missed_heartbeats"]],
  ["system.gate.fired", "system-gate-fired-v1", ["tool", "reason", "peerId"]],
  ["system.budget.warning", "system-budget-warning-v1", ["current_usd", "threshold_usd"]],
  ["system.malformed.received", "system-malformed-received-v1", ["from", "topic", "error"]],
] as const;

const missingFields = (name: string): string[] => {
  // Without its kind, a worker event is not looked at any further.
  const parsed = (schemaByName(name) ?? z.never()).safeParse(name === "worker-event-v1" ? { kind: "LOG" } : {});
  return parsed.success ? [] : parsed.error.issues.map((issue) => issue.path.join("."));
};

interface Described {
  readonly description?: string;
  readonly properties?: Record<string, Described>;
  readonly oneOf?: readonly Described[];
  readonly anyOf?: readonly Described[];
}

const undescribed = (schema: Described): string[] => [
  ...Object.entries(schema.properties ?? {})
    .filter(([, field]) => field.description === undefined && field.anyOf?.[0]?.description === undefined)
    .map(([name]) => name),
  ...(schema.oneOf ?? []).flatMap(undescribed),
];

describe("the registry", () => {
  test.each(promised)("has %s as %s", (pattern, name, required) => {
    const row = schemaForTopic(pattern.replace("*", "p_000001"));
    expect({ pattern: row?.pattern, name: row?.name }).toEqual({ pattern, name });
    const expected = required.filter((field) => field !== "kind");
    expect(new Set(missingFields(name))).toEqual(new Set(expected));
  });

  test.each(EVENTS)("$name is well formed", (row) => {
    expect(isTopicPattern(row.pattern)).toBe(true);
    expect(parseSchemaName(row.name)).toMatchObject({ version: 1 });
    expect(row.summary).toMatch(/^[A-Z].*\.$/);
    expect(undescribed(z.toJSONSchema(row.schema, { io: "output" }) as Described)).toEqual([]);
  });

  test("a name stands for one schema, and every row can be reached", () => {
    expect(new Set(EVENTS.map(({ name }) => name)).size).toBe(EVENTS.length);
    expect(EVENTS.map((row) => schemaForTopic(row.pattern.replaceAll("*", "x"))?.name)).toEqual(
      EVENTS.map(({ name }) => name),
    );
  });

  test.each([
    ["cmd.role.worker", "cmd-role-v1"],
    ["cmd.role.abort", "cmd-role-v1"],
    ["cmd.p7.unblock", "cmd-unblock-v1"],
    ["cmd.p7.ack", "cmd-ack-v1"],
    ["task.assigned.p_000001", "task-assigned-v1"],
    ["rpc.response.p_1.x", "rpc-response-v1"],
    ["system.terminal.closed", "terminal-closed-v1"],
    ["worker.p7.boot.extra", undefined],
    ["worker.boot", undefined],
    ["system.command.accepted", "system-command-v1"],
    ["task.t_001.assigned", "task-typed-v1"],
    ["task.t_001.progress", undefined],
    ["wave.w1.lead.boot", "wave-lead-boot-v1"],
    ["wave.w1.tester.boot", "wave-event-v1"],
    ["wave.w1.tester.red.complete", "wave-event-v1"],
    ["wave.w1.orphan_detected", "wave-event-v1"],
    ["wave.w1", undefined],
    ["worker.*.boot", undefined],
    ["", undefined],
  ])("%s is read as %s", (topic, name) => {
    expect(schemaForTopic(topic)?.name).toBe(name);
  });

  test("schemas are found by name, the envelope and those without a topic included", () => {
    expect(schemaByName("worker-boot-v1")).toBe(WorkerBoot);
    expect(schemaByName("envelope-v1")).toBe(EventEnvelope);
    expect(schemaByName("wave-review-finding-v1")).toBeDefined();
    expect(schemaByName("cmd-deliver-v1")).toBeDefined();
    expect(["worker-boot-v2", "", "constructor", "__proto__"].map(schemaByName)).toEqual(Array(4).fill(undefined));
  });

  test("names are sorted and leave the envelope out", () => {
    const names = schemaNames();
    expect(names).toEqual([...names].sort());
    expect(names).not.toContain("envelope-v1");
    expect(names).toEqual(expect.arrayContaining(promised.map(([, name]) => name)));
  });

  test("a topic has one version of its schema so far", () => {
    expect(EVENTS.filter((row) => versionsOf(row).length !== 1)).toEqual([]);
  });
});
