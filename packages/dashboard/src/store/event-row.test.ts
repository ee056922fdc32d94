import { describe, expect, test } from "vitest";
import { item } from "../testing/event-item.ts";
import { eventRowOf } from "./event-row.ts";

describe("a line of an event", () => {
  test.each([
    [
      "worker.p_1.event",
      { kind: "REQUEST", message: "May I?" },
      { kind: "REQUEST", tone: "asks", worker: "p_1", text: "May I?" },
    ],
    ["worker.p_1.event", { kind: "ERROR", severity: "error", message: "no" }, { kind: "ERROR", tone: "bad" }],
    [
      "worker.p_1.phase",
      { phase: "FAILED", transition_reason: "no" },
      { kind: "phase", tone: "bad", text: "FAILED · no" },
    ],
    ["system.worker.state", { peerId: "p_2", state: "needs_input", reason: "Bash" }, { worker: "p_2", tone: "asks" }],
    ["system.approval.answered", { peerId: "p_2", decision: "reject" }, { kind: "answered", tone: "bad" }],
    ["system.worker.verified", { peerId: "p_2", passed: true }, { tone: "good" }],
    ["cmd.p_3.approve", { correlation_id: "r" }, { worker: "p_3", threads: ["r"], tone: "plain" }],
    ["cmd.role.worker", { command: "pause" }, { worker: null, text: "pause" }],
    ["task.x", "only\ntext", { worker: null, text: "only text" }],
    ["task.x", { odd: [1] }, { text: '{"odd":[1]}' }],
    ["task.x", undefined, { text: "" }],
  ])("%s with %j", (topic, data, row) => {
    expect(eventRowOf(item(topic, data))).toMatchObject(row);
  });

  test("holds no deceptive text, and not the whole of a long one", () => {
    const { text } = eventRowOf(item("worker.p_1.event", { kind: "LOG", message: `\u202e${"x".repeat(10_000)}` }));
    expect(text.startsWith("\\u{202e}xxx")).toBe(true);
    expect(text.length).toBeLessThanOrEqual(160);
  });

  test("names the ids that tie events together, each once", () => {
    const envelope = {
      v: 1,
      id: "e-1",
      from_peer: "p",
      from_name: "n",
      ts_published: "",
      correlation_id: "r-1",
      data: {},
    };
    const row = eventRowOf(item("cmd.p_1.approve", { correlation_id: "r-1", approval_id: "ap_1" }, { envelope }));
    expect(row.threads).toEqual(["r-1", "ap_1", "e-1"]);
  });
});
