import { describe, expect, test } from "vitest";
import { LIMITS } from "../limits/limits.ts";
import { judgeWorker, reduceWorker } from "./reduce-worker.ts";
import { MINUTE, SECOND, SPAWNED, START, Story } from "./testing/worker-story.ts";
import { workerViewOf } from "./worker-view.ts";
import type { WorkerRecord } from "./worker-record.ts";
import { newWorker } from "./worker-record.ts";

const iso = (ms: number): string => new Date(ms).toISOString();
const verdictOf = ({ worker }: Story) => worker.verdict;
const begin = (): Story => new Story().atWork();

/** So many seconds with a heartbeat every ten, and somebody who looks at the clock. */
function beating(story: Story, seconds: number, tokens = 1): Story {
  for (let passed = 0; passed < seconds; passed += 10) {
    story
      .later(10 * SECOND)
      .beat(tokens)
      .look();
  }
  return story;
}

describe("starting", () => {
  test("from its spawning until its agent begins", () => {
    const story = new Story().system("worker.spawned", SPAWNED);
    expect(verdictOf(story)).toEqual({
      state: "starting",
      phase: null,
      reason: "its process was started",
      source: "server",
      asOf: START,
      until: null,
      evidence: 1,
    });
    story.system("peer.joined").own("boot").own("phase", { phase: "PLAN" }).own("phase", { phase: "SPAWN" });
    expect(verdictOf(story)).toMatchObject({ state: "starting", phase: "SPAWN", source: "self" });
    story.later(SECOND).signal("turn_started");
    expect(verdictOf(story)).toMatchObject({ state: "working", source: "stream", asOf: START + SECOND });
  });

  test("one of which nothing is heard is stale, not starting for ever", () => {
    const story = new Story().system("worker.spawned", SPAWNED).later(LIMITS.staleMs + 1);
    expect(verdictOf(story.look())).toMatchObject({ state: "stale", source: "clock" });
  });
});

describe("working", () => {
  test("is one statement however many tools run", () => {
    const story = begin();
    const before = verdictOf(story);
    story
      .later(SECOND)
      .signal("tool_started", { detail: "Bash: ls" })
      .later(SECOND)
      .signal("tool_ended")
      .signal("activity");
    expect(verdictOf(story)).toEqual(before);
    expect(workerViewOf(story.worker).current_action).toBe("Bash: ls");
  });

  test("of a stranger follows from what it says of itself", () => {
    const story = new Story().stranger();
    expect(verdictOf(story)).toMatchObject({
      state: "working",
      phase: "PLAN",
      reason: "it is in PLAN",
      source: "self",
    });
    expect(workerViewOf(story.worker)).toMatchObject({
      name: "guest",
      harness: null,
      mission: "theirs",
      pid: null,
      attempt: 1,
    });
  });

  test("goes on after its turn, until it reports", () => {
    expect(verdictOf(begin().signal("turn_ended"))).toMatchObject({
      state: "working",
      reason: "its agent's turn ended",
    });
    expect(verdictOf(begin().signal("exited"))).toMatchObject({
      state: "working",
      reason: "its agent's process ended",
    });
  });
});

describe("silence", () => {
  test("becomes stale, and nothing else however long it lasts", () => {
    const story = begin().later(LIMITS.staleMs).look();
    expect(verdictOf(story).state).toBe("working");
    story.later(1).look();
    expect(verdictOf(story)).toMatchObject({ state: "stale", source: "clock", asOf: START + LIMITS.staleMs + 1 });
    for (const days of [1, 10, 1000]) {
      story.later(days * 24 * 60 * MINUTE).look();
      expect(verdictOf(story)).toMatchObject({ state: "stale", asOf: START + LIMITS.staleMs + 1 });
    }
    story.beat();
    expect(verdictOf(story)).toMatchObject({ state: "working", asOf: story.now });
  });

  test("is not what the connection still carries", () => {
    const story = begin().later(LIMITS.staleMs + 1);
    expect(verdictOf(story.look(START, story.now - SECOND)).state).toBe("working");
  });

  test("before anybody listened is nobody's: a state keeps its age over a restart of the bus", () => {
    const story = begin().later(60 * MINUTE);
    const restarted = story.now;
    expect(verdictOf(story.look(restarted))).toMatchObject({ state: "working", asOf: START });
    expect(verdictOf(story.later(LIMITS.staleMs + 1).look(restarted)).state).toBe("stale");
  });

  test("does not hide what somebody has to answer, and is told with it", () => {
    const story = begin().own("event", { kind: "REQUEST", message: "Which?", request_id: "r1" });
    story.later(LIMITS.staleMs + 1).look();
    expect(verdictOf(story)).toMatchObject({ state: "needs_input", reason: "Which?; nothing is heard of it" });
  });

  test("ends a limit of which nobody knows the end", () => {
    const story = begin()
      .signal("rate_limited", { until: null })
      .later(LIMITS.staleMs + 1)
      .look();
    expect(verdictOf(story).state).toBe("stale");
  });

  test("is known to those without a clock when the bus says so", () => {
    expect(
      verdictOf(
        begin()
          .later(LIMITS.staleMs + 1)
          .system("peer.stale"),
      ).state,
    ).toBe("stale");
    expect(verdictOf(begin().later(SECOND).system("peer.stale")).state).toBe("working");
  });
});

describe("progress", () => {
  test("that does not come although it lives makes it hung", () => {
    const story = beating(begin().beat(), LIMITS.hungMs / SECOND);
    expect(verdictOf(story).state).toBe("working");
    beating(story, 10);
    expect(verdictOf(story)).toMatchObject({ state: "hung", source: "clock" });
    beating(story, 10, 2);
    expect(verdictOf(story).state).toBe("working");
  });

  test("is waited for longer while a tool runs, and of one that tells of no tools", () => {
    const busy = begin().signal("tool_started");
    const stranger = new Story().stranger();
    for (const story of [busy, stranger]) {
      beating(story, LIMITS.hungToolMs / SECOND);
      expect(verdictOf(story).state).toBe("working");
      beating(story, 20);
      expect(verdictOf(story).state).toBe("hung");
    }
  });

  test("is counted anew after a question was answered", () => {
    const story = begin().own("event", { kind: "REQUEST", message: "Which?", request_id: "r1" });
    beating(story, LIMITS.hungMs / SECOND + 60);
    expect(verdictOf(story).state).toBe("needs_input");
    story.event("cmd.p_1.approve", { correlation_id: "r1" }).look();
    expect(verdictOf(story).state).toBe("working");
  });
});

describe("needs_input", () => {
  test("until every question is answered, by whatever way", () => {
    const story = begin()
      .own("event", { kind: "REQUEST", message: "Which?", request_id: "r1" })
      .own("event", { kind: "BLOCKED", message: "No key", request_id: "r2" })
      .system("approval.opened", { approvalId: "a1", requestId: "r1", message: "Which?" })
      .system("approval.opened", { approvalId: "a2", requestId: "r2", message: "No key" });
    expect(verdictOf(story)).toMatchObject({ state: "needs_input", reason: "Which? (and 1 more)", source: "self" });
    expect(workerViewOf(story.worker).approvals).toEqual(["a1", "a2"]);
    story.system("approval.answered", { approvalId: "a1" });
    expect(verdictOf(story).reason).toBe("No key");
    story.system("approval.expired", { approvalId: "a1" });
    expect(verdictOf(story).state).toBe("needs_input");
    story.system("approval.expired", { approvalId: "a2" });
    expect(verdictOf(story).state).toBe("working");
  });

  test("an approval that was replaced stays open under its new id", () => {
    const story = begin()
      .system("approval.opened", { approvalId: "a1", requestId: "r1", message: "Which?" })
      .system("approval.opened", { approvalId: "a2", requestId: "r1", message: "Which now?" })
      .system("approval.expired", { approvalId: "a1", reason: "changed" });
    expect(workerViewOf(story.worker)).toMatchObject({ state: "needs_input", approvals: ["a2"] });
  });

  test("when the prompt of its agent waits; what moves on the terminal does not change that", () => {
    const story = begin().signal("needs_input", { source: "hook", detail: "Claude waits for you" });
    expect(verdictOf(story)).toMatchObject({ state: "needs_input", source: "hook", reason: "Claude waits for you" });
    expect(verdictOf(story.signal("activity", { source: "terminal" })).state).toBe("needs_input");
    expect(verdictOf(story.signal("turn_started", { source: "hook" })).state).toBe("working");
  });

  test("when the turn of an agent with a person in front of it ended", () => {
    const story = new Story().system("worker.spawned", { ...SPAWNED, mode: "interactive" }).own("boot");
    story.signal("turn_started").signal("turn_ended", { source: "hook" });
    expect(verdictOf(story)).toMatchObject({ state: "needs_input", source: "hook" });
  });
});

describe("blocked, rate_limited, paused", () => {
  test("blocked until it gets on", () => {
    const story = begin().own("event", { kind: "BLOCKED", message: "the port is taken" });
    expect(verdictOf(story)).toMatchObject({ state: "blocked", reason: "the port is taken", source: "self" });
    expect(verdictOf(story.own("event", { kind: "LOG", message: "still" })).state).toBe("blocked");
    expect(verdictOf(story.own("event", { kind: "PROGRESS", message: "free" })).state).toBe("working");
  });

  test("rate_limited until its time is over, and not hung at once afterwards", () => {
    const until = START + 60 * MINUTE;
    const story = begin()
      .signal("rate_limited", { until: iso(until) })
      .own("phase", { phase: "RECOVER" });
    expect(verdictOf(story)).toMatchObject({ state: "rate_limited", until, source: "stream", phase: "RECOVER" });
    beating(story, 59 * 60);
    expect(verdictOf(story).state).toBe("rate_limited");
    beating(story, 60);
    expect(verdictOf(story)).toMatchObject({ state: "working", source: "clock", until: null });
    beating(story, LIMITS.hungMs / SECOND + 10);
    expect(verdictOf(story).state).toBe("hung");
  });

  test("a limit ends with the phase that it was waited in", () => {
    const story = begin().signal("rate_limited").own("phase", { phase: "RECOVER" });
    expect(verdictOf(story.beat(2)).state).toBe("rate_limited");
    expect(verdictOf(story.own("phase", { phase: "OBSERVE" })).state).toBe("working");
  });

  test("paused until it says that it goes on, whatever it says meanwhile", () => {
    const story = begin().signal("paused").own("event", { kind: "REQUEST", message: "Which?", request_id: "r1" });
    expect(verdictOf(story)).toMatchObject({ state: "paused", reason: "it was told to pause; it has asked something" });
    expect(verdictOf(story.signal("resumed")).state).toBe("needs_input");
  });

  test("one without signals is paused when the command was applied", () => {
    const story = new Story().stranger().event("system.command.applied", { cmdTopic: "cmd.p_1.pause" });
    expect(verdictOf(story)).toMatchObject({ state: "paused", source: "server" });
    expect(verdictOf(story.event("system.command.applied", { cmdTopic: "cmd.p_1.resume" })).state).toBe("working");
  });
});

describe("the end", () => {
  test.each([
    ["complete", { result: "ok", summary: "done" }, "finished", "done"],
    ["complete", { result: "failed", summary: "no" }, "failed", "no"],
    ["complete", { result: "cancelled", summary: "stopped" }, "aborted", "stopped"],
    ["event", { kind: "ERROR", severity: "fatal", message: "boom" }, "failed", "boom"],
    ["phase", { phase: "FAILED", transition_reason: "lost" }, "failed", "lost"],
    ["heartbeat", { severity: "fatal", message: "bye" }, "failed", "bye"],
  ])("by its own word: %s %o", (action, data, state, reason) => {
    const story = begin().own(action, data);
    expect(verdictOf(story)).toMatchObject({ state, reason, source: "self" });
    story.system("worker.terminated", { pid: 41, exit_code: 0 }).system("peer.left", { reason: "clean" });
    story
      .later(100 * MINUTE)
      .look()
      .beat(9)
      .signal("turn_started")
      .system("peer.joined");
    expect(verdictOf(story)).toMatchObject({ state, reason });
  });

  test.each([
    [{ pid: 41, exit_code: 1 }, "failed", "its process ended with 1 before its work was done"],
    [
      { pid: 41, exit_code: null, signal: "SIGKILL" },
      "failed",
      "its process was ended by SIGKILL before its work was done",
    ],
    [{ pid: 41, exit_code: null, signal: null }, "gone", "its process is gone, and how it ended is unknown"],
  ])("by its process: %o", (data, state, reason) => {
    expect(verdictOf(begin().system("worker.terminated", data))).toMatchObject({ state, reason, source: "process" });
  });

  test("a result that was reported before its process ended counts for more, though it comes later", () => {
    const story = begin().system("worker.terminated", { pid: 41 }).own("complete", { result: "ok", summary: "done" });
    expect(verdictOf(story)).toMatchObject({ state: "finished", source: "self" });
  });

  test("of an earlier process does not touch the one that was started since", () => {
    const story = begin().system("worker.spawned", { ...SPAWNED, attempt: 2, pid: 42, reason: "it crashed" });
    story.system("worker.terminated", { pid: 41, signal: "SIGKILL" });
    expect(verdictOf(story)).toMatchObject({ state: "starting", reason: "it was started anew: it crashed" });
  });

  test("of a stranger that left comes when it did not return in time; its return takes that back", () => {
    const story = new Story().stranger().later(SECOND).system("peer.left", { reason: "crash" }).look();
    expect(verdictOf(story).state).toBe("working");
    expect(verdictOf(story.later(LIMITS.staleMs).look())).toMatchObject({ state: "stale" });
    expect(verdictOf(story.later(LIMITS.returnGraceMs).look())).toMatchObject({ state: "gone", source: "clock" });
    expect(verdictOf(story.beat(5)).state).toBe("gone");
    expect(verdictOf(story.system("peer.joined")).state).toBe("working");
  });

  test("of one of ours is never guessed from its connection", () => {
    const story = begin()
      .system("peer.left", { reason: "crash" })
      .later(100 * MINUTE)
      .look();
    expect(verdictOf(story).state).toBe("stale");
  });

  test("a stranger whose terminal was closed is gone", () => {
    const story = new Story().stranger().event("system.terminal.closed", { terminal_id: "5" });
    expect(verdictOf(story)).toMatchObject({ state: "gone", source: "terminal" });
  });

  test("a new start forgets everything but what was spent, and who it is", () => {
    const story = begin().beat(100).own("complete", { result: "failed", summary: "no" });
    story
      .system("worker.rework")
      .system("worker.spawned", { ...SPAWNED, attempt: 2, pid: 42 })
      .own("boot")
      .beat(10, { current_phase: "PLAN" });
    expect(workerViewOf(story.worker)).toMatchObject({
      state: "starting",
      name: "audit",
      attempt: 2,
      tokens: 110,
      cost_usd: 1.1,
      completion: "rework",
    });
  });
});

test("what a worker says it spent is a number, whatever it says", () => {
  const story = begin().beat(1e308, { cost_usd: 1e308 });
  expect(workerViewOf(story.worker)).toMatchObject({
    tokens: Number.MAX_SAFE_INTEGER,
    cost_usd: Number.MAX_SAFE_INTEGER,
  });
});

test("completion and doubts follow what the server found", () => {
  const story = begin().own("complete", { result: "ok", summary: "done" });
  expect(workerViewOf(story.worker).completion).toBe("reported");
  story.system("worker.completed", { doubts: ["no_work", 5] });
  expect(workerViewOf(story.worker)).toMatchObject({ completion: "reported", doubts: ["no_work"] });
  expect(workerViewOf(story.system("worker.verified", { passed: false }).worker).completion).toBe("failed_checks");
  expect(workerViewOf(story.system("worker.verified", { passed: true }).worker).completion).toBe("verified");
  expect(workerViewOf(story.system("worker.accepted").worker).completion).toBe("accepted");
});

test("only the server speaks for the server", () => {
  const { worker } = begin();
  for (const topic of ["system.worker.terminated", "system.worker.accepted", "system.peer.left"]) {
    const forged = { kind: "event", topic, from: "p_9", data: { peerId: "p_1" }, sequence: 99, at: START } as const;
    expect(reduceWorker(worker, forged)).toBe(worker);
  }
});

test("a time that is none, or that no date can show, is the time that was known", () => {
  const { worker } = begin();
  const last = 8.64e15;
  const say = (at: number) =>
    reduceWorker(worker, { kind: "event", topic: "worker.p_1.boot", from: "p_1", data: {}, sequence: 9, at });
  for (const at of [Number.NaN, Infinity, -Infinity, last + 1, -last - 1]) expect(say(at).lastSeen).toBe(START);
  for (const at of [last, -last]) expect(say(at).lastSeen).toBe(at);
});

test("topics of other families, and longer ones, say nothing of a worker", () => {
  const { worker } = begin();
  const say = (topic: string) =>
    reduceWorker(worker, { kind: "event", topic, from: "p_1", data: { correlation_id: "r1" }, sequence: 9, at: START });
  for (const topic of [
    "worker.p_1.boot.more",
    "cmd.p_1.approve.more",
    "cmd.p_1.abort",
    "task.p_1.boot",
    "worker.p_1",
  ]) {
    expect(say(topic).verdict).toBe(worker.verdict);
  }
  expect([say("task.p_1.boot"), say("worker.p_1.boot.more"), say("cmd.p_1.abort")]).toEqual([worker, worker, worker]);
});

test("a state keeps its age while its reason is the same, and takes a new phase along", () => {
  const story = begin().later(SECOND).own("phase", { phase: "OBSERVE" });
  expect(verdictOf(story)).toMatchObject({ phase: "OBSERVE", asOf: START });
  const before = story.worker;
  story.later(-5 * SECOND).own("event", { kind: "BLOCKED", message: "no" });
  // Time that goes back makes no state older than the one before.
  expect(verdictOf(story)).toMatchObject({ state: "blocked", asOf: before.verdict.asOf });
});

describe("an agent of which nothing shows what it does", () => {
  const at = (story: Story) => ({ state: story.worker.verdict.state, reason: story.worker.verdict.reason });

  test("is unknown, with the reason, until something shows it", () => {
    const story = new Story().atWork().signal("unclear", { source: "terminal", detail: "its screen is not known" });
    expect(at(story)).toEqual({ state: "unknown", reason: "its screen is not known" });
    expect(at(story.signal("activity", { source: "terminal" }))).toMatchObject({ state: "unknown" });
    expect(at(story.signal("needs_input", { detail: "which?" }))).toEqual({ state: "needs_input", reason: "which?" });
    expect(at(story.signal("unclear").signal("turn_started"))).toMatchObject({ state: "working" });
    expect(at(story.signal("unclear").own("complete", { result: "ok" }))).toMatchObject({ state: "finished" });
  });

  test("is not called hung, but stale when nothing is heard of its worker", () => {
    const story = new Story().atWork().signal("unclear");
    expect(at(story.later(20 * SECOND).look())).toMatchObject({ state: "unknown" });
    expect(at(story.later(6 * MINUTE).look(START, story.now))).toMatchObject({ state: "unknown" });
    expect(at(story.later(6 * MINUTE).look())).toMatchObject({ state: "stale" });
  });
});

const cause = (text: string) => ({ text, source: "self", at: 0, sequence: 3 }) as const;
const found = (state: string, reason: string, more = {}) => ({
  state,
  reason,
  source: "self",
  until: null,
  evidence: 3,
  ...more,
});
const CLOCK = { source: "clock", evidence: 3 };

/** Holds every reason there is; each test takes the strongest away. */
const ALL: WorkerRecord = {
  ...newWorker("p_1", 0),
  ending: { ...cause("end"), state: "failed" },
  paused: cause("pause"),
  questions: [{ ...cause("which?"), requestId: "r1", approvalId: null }],
  prompt: cause("prompt"),
  parked: { ...cause("limit"), until: 9 },
  isSilent: true,
  blocked: cause("block"),
  unclear: cause("who knows"),
  isHung: true,
  work: cause("work"),
};

test("of all that holds, the strongest is said", () => {
  const steps: [Partial<WorkerRecord>, unknown][] = [
    [{}, found("failed", "end")],
    [{ ending: null }, found("paused", "pause; it has asked something; nothing is heard of it")],
    [{ paused: null }, found("needs_input", "which?; nothing is heard of it")],
    [{ questions: [] }, found("needs_input", "prompt; nothing is heard of it")],
    [{ prompt: null }, found("rate_limited", "limit; nothing is heard of it", { until: 9 })],
    [{ parked: { ...cause("limit"), until: null } }, found("stale", "nothing is heard of it", CLOCK)],
    [{ parked: null }, found("stale", "nothing is heard of it", CLOCK)],
    [{ isSilent: false }, found("blocked", "block")],
    [{ blocked: null }, found("unknown", "who knows")],
    [{ unclear: null }, found("hung", "it is there, but its work comes no further", CLOCK)],
    [{ isHung: false }, found("starting", "work")],
    [{ isSignalling: true }, found("working", "work")],
    [{ work: null }, found("working", "it has begun, as far as is known", { source: "clock", evidence: null })],
  ];
  for (const [index, [, finding]] of steps.entries()) {
    const worker = Object.assign({}, ALL, ...steps.slice(0, index + 1).map(([change]) => change)) as WorkerRecord;
    expect(judgeWorker(worker)).toEqual(finding);
  }
});

test("a limit without an end holds while the worker is heard of, and several questions are counted", () => {
  const quiet = { ...newWorker("p_1", 0), parked: { ...cause("limit"), until: null } };
  expect(judgeWorker(quiet)).toEqual(found("rate_limited", "limit"));
  const [question] = ALL.questions;
  const questions = question === undefined ? [] : [question, question, question];
  expect(judgeWorker({ ...quiet, questions })).toEqual(found("needs_input", "which? (and 2 more)"));
  expect(judgeWorker({ ...quiet, paused: cause("pause") })).toEqual(found("paused", "pause"));
});

test.each([
  [{}, "starting"],
  [{ phase: "PLAN" }, "working"],
  [{ phase: "PLAN", isSpawned: true }, "starting"],
  [{ phase: "SPAWN", isSpawned: true }, "starting"],
  [{ phase: "OBSERVE", isSpawned: true }, "working"],
  [{ isSignalling: true, isSpawned: true }, "starting"],
  [{ isSignalling: true, isSpawned: true, turn: "running" }, "working"],
  [{ isSignalling: true, isSpawned: true, turn: "ended", phase: "PLAN" }, "working"],
] as const)("one with %o is %s", (change, state) => {
  expect(judgeWorker({ ...newWorker("p_1", 0), ...change }).state).toBe(state);
});
