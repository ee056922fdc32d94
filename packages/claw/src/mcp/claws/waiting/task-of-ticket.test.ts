import { describe, expect, test } from "vitest";
import type { TicketData } from "../tools/outcome-data.ts";
import { pollIntervalMs, taskOfTicket } from "./task-of-ticket.ts";

const OPENED = "2026-01-01T00:00:00.000Z";
const SECOND_MS = 1000;

const WORKER: TicketData["workers"][number] = {
  peer_id: "p_2",
  name: "lexer",
  verdict: "waiting",
  code: null,
  state: "working",
  reason: "Bash: make",
  completion: null,
  result: null,
  summary: null,
  checks: [],
  cost_usd: 0.01,
  tokens: 12,
  worktree: null,
};

const VIEW: TicketData = {
  ok: true,
  status: "open",
  goal: "complete",
  started: true,
  opened: OPENED,
  updated: OPENED,
  ttlMs: 60_000,
  cursor: "0001:9",
  from: "0001:3",
  workers: [WORKER],
  refused: [],
  approvals: [],
  answers: [],
} as unknown as TicketData;

const taskOf = (view: Partial<TicketData>, ageMs = 0, forms = true) =>
  taskOfTicket("t", { ...VIEW, ...view }, { nowMs: Date.parse(OPENED) + ageMs, forms });

test.each([
  [0, 1000],
  [10 * SECOND_MS, 1000],
  [30 * SECOND_MS, 3000],
  [100 * SECOND_MS, 10_000],
  [60 * 60 * SECOND_MS, 10_000],
])("a task of %i ms is to be asked for every %i ms", (ageMs, interval) => {
  expect(pollIntervalMs(ageMs)).toBe(interval);
});

describe("a ticket as a task", () => {
  test("works, with the state lines of its workers", () => {
    const other = { ...WORKER, name: "parser", state: "rate_limited" as const, reason: "" };
    expect(taskOf({ workers: [WORKER, other] }, 50 * SECOND_MS)).toEqual({
      taskId: "t",
      status: "working",
      statusMessage: "lexer: working, Bash: make · parser: rate_limited",
      createdAt: OPENED,
      lastUpdatedAt: OPENED,
      ttlMs: 60_000,
      pollIntervalMs: 5000,
    });
  });

  test("is completed with the same facts in text and data, and fails by its status, not by an error", () => {
    const failed = { ...WORKER, verdict: "failed" as const, code: "WORKER_FAILED", state: "failed" as const };
    const { status, result } = taskOf({ status: "closed", workers: [failed] });
    expect([status, result?.["isError"]]).toEqual(["completed", undefined]);
    const data = result?.["structuredContent"];
    expect(data).toMatchObject({ status: "failed", cursor: "0001:9", workers: [{ code: "WORKER_FAILED" }] });
    expect(result?.["content"]).toEqual([{ type: "text", text: JSON.stringify(data) }]);
  });

  test("tells of workers that did not start", () => {
    const refused = [{ name: "b", code: "BUDGET_EXCEEDED", message: "no money" }];
    const finished = { ...WORKER, verdict: "met" as const, state: "finished" as const, summary: "done" };
    const { result } = taskOf({ status: "closed", workers: [finished], refused });
    expect(result?.["structuredContent"]).toMatchObject({
      status: "failed",
      workers: [{ name: "lexer" }, { name: "b", state: "not_started", code: "BUDGET_EXCEEDED" }],
      digest: "lexer finished: done; $0.0100\nnot started: no money",
    });
  });

  test("is cancelled, and says what came of an answer that did not count", () => {
    expect(taskOf({ status: "cancelled" }).status).toBe("cancelled");
    const answers = [
      { approvalId: "ap_1", outcome: "late" as const, note: "ap_1 was answered already: reject by p_9" },
    ];
    expect(taskOf({ answers }).statusMessage).toBe(
      "lexer: working, Bash: make; ap_1 was answered already: reject by p_9",
    );
  });
});
