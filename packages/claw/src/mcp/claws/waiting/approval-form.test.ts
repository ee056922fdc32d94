import type { ApprovalView } from "claw-contract";
import { expect, test } from "vitest";
import { approvalForm, readForm, showsForms } from "./approval-form.ts";

const APPROVAL: ApprovalView = {
  approvalId: "ap_000000000001",
  peerId: "p_2",
  bootId: "b",
  requestId: "r1",
  sequence: 4,
  kind: "REQUEST",
  message: "push\u001b[2J where?",
  subject: { tool: "Bash", command: "git push" },
  hash: "0".repeat(64),
  options: [{ id: "A", label: "origin" }, { id: "B" }],
  deadline: "2026-01-01T01:00:00.000Z",
  default: "reject",
  ts: "2026-01-01T00:00:00.000Z",
  worker: "lexer",
  status: "open",
  outcome: null,
};

test("a form says who asks what, until when, and that closing it decides nothing", () => {
  const form = approvalForm(APPROVAL) as { params: { message: string; requestedSchema: object } };
  expect(form.params.message).toBe(
    [
      "lexer asks: push\\u001b[2J where?",
      "tool: Bash",
      "command: git push",
      "Without an answer by 2026-01-01T01:00:00.000Z the answer is reject. Declining or closing this form decides nothing.",
    ].join("\n"),
  );
  expect(form.params.requestedSchema).toMatchObject({
    properties: { decision: { enum: ["approve", "reject"] }, choice: { enum: ["A", "B"] }, reason: { type: "string" } },
    required: ["decision"],
  });
});

test("a form of a question that is cut or masked says so, and one without options has no choice", () => {
  const form = JSON.stringify(approvalForm({ ...APPROVAL, options: [], cut: true, masked: true }));
  expect(form).toContain("is cut; see all of it with claw approvals");
  expect(form).toContain("Secrets are masked.");
  expect(form).not.toContain('"choice"');
});

test.each([
  [
    { action: "accept", content: { decision: "approve" } },
    { decision: "approve", chosen: undefined, reason: undefined },
  ],
  [
    { action: "accept", content: { decision: "approve", choice: "A", reason: "fine" } },
    { decision: "approve", chosen: "A", reason: "fine" },
  ],
  [
    { action: "accept", content: { decision: "reject", choice: "A", reason: "no" } },
    { decision: "reject", chosen: undefined, reason: "no" },
  ],
  [{ action: "accept", content: {} }, null],
  [{ action: "accept", content: { decision: "maybe" } }, null],
  [{ action: "accept" }, null],
  [{ action: "decline", content: { decision: "approve" } }, null],
  [{ action: "cancel" }, null],
  [undefined, null],
  ["accept", null],
])("%j means %j", (response, meant) => {
  expect(readForm(response)).toEqual(meant);
});

test.each([
  [{ elicitation: {} }, true],
  [{ elicitation: { form: {} } }, true],
  [{ elicitation: { url: {} } }, false],
  [{}, false],
])("a client with %j shows forms: %s", (capabilities, shows) => {
  expect(showsForms(capabilities)).toBe(shows);
});
