import { expect, test } from "vitest";
import type { ApprovalRule, AskedAction } from "./approval-rule.ts";
import { findRule } from "./approval-rule.ts";

const asked = (subject: AskedAction["subject"], more: Partial<AskedAction> = {}): AskedAction => ({
  harness: "fake",
  worker: "fix-tests",
  subject,
  isWhole: true,
  ...more,
});

const approves = (command: string, subject: AskedAction["subject"], more?: Partial<AskedAction>): boolean =>
  findRule([{ id: "r", decision: "approve", command }], asked(subject, more)) !== undefined;

test.each([
  ["git status*", { command: "git status" }],
  ["git status *", { command: "git status --short" }],
  ["git status", { argv: ["git", "status"] }],
  ["git *", { argv: ["git", "log", "; rm -rf /"] }],
  ["make test && make lint", { command: "make test && make lint" }],
  ["git status", { tool: "Bash", command: "git status", input: { command: "git status" } }],
])("%s approves %j", (pattern, subject) => {
  expect(approves(pattern, subject)).toBe(true);
});

test.each([
  ["git status*", { command: "git status; rm -rf /" }],
  ["git status*", { command: "git status && rm -rf /" }],
  ["git status*", { command: "git status\nrm -rf /" }],
  ["git status*", { command: "git status $(rm -rf /)" }],
  ["git status*", { command: "git status `rm`" }],
  ["git status*", { command: "git status > /etc/passwd" }],
  ["git status*", { command: "git status-evil" }],
  ["git status*", { command: "PATH=/evil git status" }],
  ["git *status", { command: "git push status" }],
  ["git status", { command: "git status --short" }],
  ["git status", { argv: ["git status"] }],
  ["git status*", { argv: ["git", "status"], command: "rm -rf /" }],
  ["git status*", { command: "git status", input: { command: "rm -rf /" } }],
  ["git status*", { argv: ["git", 7] }],
  ["git status*", {}],
])("%s does not approve %j", (pattern, subject) => {
  expect(approves(pattern, subject)).toBe(false);
});

test("a rule never approves what it cannot see whole, and may reject it", () => {
  const subject = { command: "git status" };
  expect(approves("git status", subject, { isWhole: false })).toBe(false);
  const no: ApprovalRule = { id: "no", decision: "reject", command: "*git*" };
  expect(findRule([no], asked(subject, { isWhole: false }))).toBe(no);
  expect(findRule([no], asked({ command: "a\ngit push" }))).toBe(no);
});

test("the first rule that fits in everything it names answers", () => {
  const rules: ApprovalRule[] = [
    { id: "codex", decision: "approve", harness: "codex" },
    { id: "named", decision: "approve", worker: "fix-*", tool: "Read" },
    { id: "below", decision: "approve", tool: "Bash", cwd: "/app/*", request_type: "permission" },
    { id: "rest", decision: "reject" },
  ];
  const idFor = (subject: AskedAction["subject"]): string | undefined => findRule(rules, asked(subject))?.id;
  expect(idFor({ tool: "Read" })).toBe("named");
  expect(idFor({ tool: "Bash", cwd: "/app/a", request_type: "permission" })).toBe("below");
  expect(idFor({ tool: "Bash", cwd: "/app/../etc", request_type: "permission" })).toBe("rest");
  expect(idFor({ tool: "Bash", cwd: "/apples", request_type: "permission" })).toBe("rest");
});
