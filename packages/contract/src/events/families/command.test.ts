import { describe, expect, test } from "vitest";
import { readEvent } from "../read-event.ts";

const reasonOf = (topic: string, data: unknown): string => {
  const result = readEvent(topic, data);
  return result.ok ? "ok" : result.reason;
};

describe("commands", () => {
  test.each([
    ["approve", { correlation_id: "r1" }],
    ["approve", { correlation_id: "r1", payload: { approved: true }, chosen: "B" }],
    ["reject", { correlation_id: "req-abc", reason: "too dear" }],
    ["unblock", { correlation_id: "req-abc" }],
    ["abort", { reason: "over budget" }],
    ["pause", {}],
    ["resume", { correlation_id: "r1" }],
    ["set_phase", { phase: "RECOVER", reason: "stuck" }],
    ["spawn", { name: "audit-B", mission: "audit src/log.ts" }],
    ["spawn", { name: "audit-B", mission: "audit src/log.ts", model: "sonnet" }],
    ["inject_text", { text: "" }],
    ["inject_text", { text: "go on", paste: true }],
    ["ack", { seq: 0, status: "executed" }],
  ])("%s takes %j", (action, data) => {
    expect(reasonOf(`cmd.p7.${action}`, data)).toBe("ok");
  });

  test.each([
    ["approve", {}],
    ["approve", { correlation_id: "" }],
    ["approve", { correlation_id: "r1", payload: "yes" }],
    ["reject", { correlation_id: "r1" }],
    ["unblock", {}],
    ["abort", {}],
    ["pause", "now"],
    ["pause", { correlation_id: 7 }],
    ["set_phase", { phase: "SLEEP", reason: "tired" }],
    ["spawn", { name: "audit-B" }],
    ["inject_text", { paste: true }],
    ["ack", { seq: -1, status: "executed" }],
    ["ack", { seq: 1, status: "maybe" }],
  ])("%s refuses %j", (action, data) => {
    expect(reasonOf(`cmd.p7.${action}`, data)).toBe("malformed");
  });

  test("a role is told a command by name", () => {
    expect(reasonOf("cmd.role.worker", { command: "abort", reason: "end of session" })).toBe("ok");
    expect(reasonOf("cmd.role.worker", { reason: "end of session" })).toBe("malformed");
  });

  test("a command of somebody's own has no schema", () => {
    expect(reasonOf("cmd.p7.retry_later", { anything: true })).toBe("unknown-topic");
  });
});
