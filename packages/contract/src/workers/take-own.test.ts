import { describe, expect, test } from "vitest";
import { LIMITS } from "../limits/limits.ts";
import { ask, takeOwn } from "./take-own.ts";
import { START } from "./testing/worker-story.ts";
import type { OpenQuestion, WorkerRecord } from "./worker-record.ts";
import { newWorker } from "./worker-record.ts";

const known = newWorker("p_1", START - 1000);
const cause = { source: "self", at: START, sequence: 7 } as const;
const said = (text: string) => ({ ...cause, text });
/** What every word but a heartbeat changes. */
const HEARD = { lastSeen: START, lastProgress: START, isSilent: false, isHung: false };
const QUIET: WorkerRecord = { ...known, isSilent: true, isHung: true };

const own = (worker: WorkerRecord, action: string, data: Record<string, unknown> = {}): WorkerRecord =>
  takeOwn(worker, action, { kind: "event", topic: `worker.p_1.${action}`, from: "p_1", data, sequence: 7, at: START });

test("a boot begins new sums, and says more of who it is without taking away what is known", () => {
  const worker = { ...QUIET, tokens: { before: 1, current: 2 }, costUsd: { before: 0.5, current: 0.25 } };
  const booted = { ...HEARD, tokens: { before: 3, current: 0 }, costUsd: { before: 0.75, current: 0 } };
  const data = { model: "m", mission_summary: "find it", cwd: "/w", terminal_id: 5, parent_peer_id: "p_0" };
  const { profile } = known;
  const full = { ...profile, model: "m", mission: "find it", cwd: "/w", terminalId: "5", parentId: "p_0" };
  const first = own(worker, "boot", data);
  expect(first).toEqual({ ...worker, ...booted, work: said("it has booted"), profile: full });
  expect(own(first, "boot").profile).toEqual(full);
  expect(own(first, "boot", { mission_summary: "else", terminal_id: "6" }).profile).toEqual({
    ...full,
    terminalId: "6",
  });
});

describe("a phase", () => {
  const anonymous: OpenQuestion = { ...said("?"), requestId: "seq:3", approvalId: null };
  const named: OpenQuestion = { ...said("?"), requestId: "r1", approvalId: null };
  const held = { ...QUIET, questions: [anonymous, named], prompt: said("p"), blocked: said("b") };
  const parked = { ...said("limit"), until: null };

  test("shows that it works, and answers questions without a name", () => {
    expect(own({ ...held, parked }, "phase", { phase: "OBSERVE" })).toEqual({
      ...held,
      ...HEARD,
      phase: "OBSERVE",
      work: said("it is in OBSERVE"),
      questions: [named],
      prompt: null,
      blocked: null,
      parked: null,
    });
  });

  test("RECOVER ends no limit and no prompt; a running turn keeps its words", () => {
    const running = { ...held, parked, turn: "running", isSignalling: true, work: said("its agent works") } as const;
    expect(own(running, "phase", { phase: "RECOVER" })).toMatchObject({
      parked,
      prompt: said("p"),
      blocked: null,
      work: said("its agent works"),
    });
    for (const other of [{ ...running, isSignalling: false }, { ...running, turn: "ended" } as const]) {
      expect(own(other, "phase", { phase: "RECOVER" }).work).toEqual(said("it is in RECOVER"));
    }
  });

  test("FAILED leaves its questions; a word that is no phase says nothing", () => {
    expect(own(held, "phase", { phase: "FAILED" }).questions).toEqual([anonymous, named]);
    expect(own(held, "phase", { phase: "nonsense" })).toEqual({ ...held, ...HEARD });
  });
});

describe("a heartbeat", () => {
  test("says what the agent may do, until another says something else", () => {
    const told = own(known, "heartbeat", { permission_mode: "acceptEdits" });
    expect(own(told, "heartbeat", { tokens_used: 5 }).profile.permissionMode).toBe("acceptEdits");
    expect(own(told, "heartbeat", { permission_mode: "default" }).profile.permissionMode).toBe("default");
  });

  test("is a sign of life, and of progress only when something moved", () => {
    const worker = { ...QUIET, tokens: { before: 0, current: 5 }, currentAction: "ls" };
    const still = own(worker, "heartbeat", { tokens_used: 5, current_action: "ls" });
    expect(still).toEqual({ ...worker, lastSeen: START, isSilent: false });
    for (const data of [{ tokens_used: 6 }, { current_action: "rm" }]) {
      expect(own(worker, "heartbeat", data)).toMatchObject({ lastProgress: START, isHung: false });
    }
    expect(own(worker, "heartbeat", { tokens_used: 4, cost_usd: -1 })).toMatchObject({
      tokens: { before: 0, current: 5 },
      costUsd: { before: 0, current: 0 },
      isHung: true,
    });
  });

  test("says a phase only of one that has none", () => {
    expect(own(known, "heartbeat", { current_phase: "PLAN" }).phase).toBe("PLAN");
    expect(own(known, "heartbeat", { current_phase: "nonsense" }).phase).toBeNull();
    expect(own({ ...known, phase: "OBSERVE" }, "heartbeat", { current_phase: "PLAN" }).phase).toBe("OBSERVE");
  });
});

test("of many open questions the newest are kept, and one that is asked again keeps its place", () => {
  const question = (number: number): OpenQuestion => ({ ...said("?"), requestId: `r${number}`, approvalId: null });
  const all = Array.from({ length: LIMITS.openQuestions }, (_, number) => question(number));
  const one = all.slice(1);
  expect(ask({ ...known, questions: one }, question(1000))).toEqual({ questions: [...one, question(1000)] });
  expect(ask({ ...known, questions: all }, question(1000))).toEqual({ questions: [...one, question(1000)] });
  const again = { ...question(0), approvalId: "a1" };
  expect(ask({ ...known, questions: all }, again)).toEqual({ questions: [again, ...one] });
});

describe("an event", () => {
  const event = (data: Record<string, unknown>, worker = known) => own(worker, "event", data);

  test("asks when it is a request, or blocked with a name; without a name it is known by its place", () => {
    const question = (requestId: string) => [{ ...said("Which?"), requestId, approvalId: null }];
    const message = "Which?";
    expect(event({ kind: "REQUEST", message }).questions).toEqual(question("seq:7"));
    expect(event({ kind: "REQUEST", message, request_id: "r1" }).questions).toEqual(question("r1"));
    expect(event({ kind: "BLOCKED", message, request_id: "r1" }).questions).toEqual(question("r1"));
    expect(event({ kind: "BLOCKED", message })).toMatchObject({ questions: [], blocked: said("Which?") });
  });

  test.each(["PROGRESS", "DECISION", "HARVEST"])("of kind %s ends a block, others do not", (kind) => {
    const blocked = { ...known, blocked: said("b") };
    expect([event({ kind }, blocked).blocked, event({ kind: "LOG" }, blocked).blocked]).toEqual([null, said("b")]);
  });

  test("that is fatal asks nothing", () => {
    expect(event({ kind: "REQUEST", severity: "fatal", request_id: "r1" }).questions).toEqual([]);
  });
});

test("a result brings the last sums", () => {
  expect(own(known, "complete", { result: "ok", total_tokens: 9, total_cost_usd: 0.5 })).toEqual({
    ...known,
    ...HEARD,
    tokens: { before: 0, current: 9 },
    costUsd: { before: 0, current: 0.5 },
    completion: "reported",
  });
});

test("the model is what the agent names, and not the agent", () => {
  const worker = { ...known, profile: { ...known.profile, harness: "codex", model: "sonnet" } };
  expect(own(worker, "boot", { model: "codex" }).profile.model).toBe("sonnet");
  expect(own(worker, "heartbeat", { model: "claude-sonnet-5-5" }).profile.model).toBe("claude-sonnet-5-5");
  expect(own(worker, "heartbeat", {}).profile.model).toBe("sonnet");
});

test("calls that were cut off are counted over all boots", () => {
  const cut = own(known, "heartbeat", { unknown_calls: 2 });
  const again = own(own(cut, "boot"), "complete", { result: "ok", unknown_calls: 1 });
  expect(again).toMatchObject({ unknownCalls: { before: 2, current: 1 } });
});

test("a word that nobody knows is a sign of life and no more", () => {
  for (const action of ["nonsense", "toString"]) {
    expect(own(QUIET, action)).toEqual({ ...QUIET, lastSeen: START, isSilent: false });
  }
});
