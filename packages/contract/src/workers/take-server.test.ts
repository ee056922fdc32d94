import { describe, expect, test } from "vitest";
import { LIMITS } from "../limits/limits.ts";
import { takeAnswer, takeServer } from "./take-server.ts";
import { START } from "./testing/worker-story.ts";
import { FIRST_LIFE } from "./worker-life.ts";
import type { OpenQuestion, WorkerRecord } from "./worker-record.ts";
import { newLife, newWorker } from "./worker-record.ts";

const known = newWorker("p_1", START - 1000);
const cause = (text: string, source: OpenQuestion["source"] = "server") => ({ text, source, at: START, sequence: 7 });
const FINISHED = { ...cause("done", "self"), state: "finished" } as const;
const AWAY = { ...cause("away", "clock"), state: "gone" } as const;

const fact = (topic: string, data: Record<string, unknown>) =>
  ({ kind: "event", topic, from: "server", data, sequence: 7, at: START }) as const;
const take = (worker: WorkerRecord, topic: string, data: Record<string, unknown> = {}): WorkerRecord =>
  takeServer(worker, fact(`system.${topic}`, data));

describe("a start", () => {
  const data = {
    attempt: 2,
    reason: "it hung",
    name: "n",
    harness: "h",
    mode: "headless",
    model: "m",
    permission_mode: "read-only",
    fleet: "f",
    mission: "x".repeat(1001),
    parent_id: "p_0",
    cwd: "/w",
    pid: 41,
    worktree: { path: "/t" },
    checks: ["a", "b"],
  };

  test("is a new life of a worker that is described as it was ordered", () => {
    expect(take({ ...known, ending: FINISHED, completion: "verified" }, "worker.spawned", data)).toEqual({
      ...known,
      ...newLife(START),
      isSpawned: true,
      completion: null,
      work: cause("it was started anew: it hung"),
      profile: {
        ...known.profile,
        name: "n",
        harness: "h",
        mode: "headless",
        model: "m",
        permissionAsked: "read-only",
        permissionMode: null,
        fleet: "f",
        mission: "x".repeat(1000),
        parentId: "p_0",
        cwd: "/w",
        attempt: 2,
        pid: 41,
        worktree: { path: "/t" },
        checks: 2,
      },
    });
  });

  test.each([
    [{ attempt: 1, reason: "why" }, "its process was started"],
    [{ attempt: 2 }, "its process was started"],
    [{ attempt: 2, reason: "why" }, "it was started anew: why"],
  ])("with %o is told as %s", (given, text) => {
    expect(take(known, "worker.spawned", given).work).toEqual(cause(text));
  });

  test("with data of other kinds keeps what is known and takes nothing from it", () => {
    const strange = { checks: { length: 3 }, worktree: ["x"], attempt: -1, pid: "41" };
    const unsaid = { mission: null, permissionAsked: null, permissionMode: null };
    expect(take(known, "worker.spawned", strange).profile).toEqual({ ...known.profile, ...unsaid });
    expect(take({ ...known, completion: "rework" }, "worker.spawned").completion).toBe("rework");
    for (const worktree of [null, "x", 5]) {
      expect(take(known, "worker.spawned", { worktree }).profile.worktree).toBeNull();
    }
  });
});

describe("a connection", () => {
  test("that is there again after an absence begins to make progress anew", () => {
    const life = { ...FIRST_LIFE, end: { by: "left", result: null, isSettled: true } } as const;
    const away = { ...known, life, leftAt: START - 5, isSilent: true, lastProgress: START - 9 };
    expect(take(away, "peer.joined")).toEqual({
      ...away,
      leftAt: null,
      isSilent: false,
      lastSeen: START,
      lastProgress: START,
    });
    expect(take({ ...away, life: FIRST_LIFE }, "peer.joined").lastProgress).toBe(START - 9);
  });

  test("names a stranger and its terminal; one of ours has its name", () => {
    const data = { peerName: "guest", terminalId: 5 };
    expect(take(known, "peer.joined", data).profile).toMatchObject({ name: "guest", terminalId: "5" });
    expect(take({ ...known, isSpawned: true }, "peer.joined", data).profile.name).toBe("p_1");
    const named = take(known, "peer.joined", { peerName: "guest", terminalId: "t" });
    expect(take(named, "peer.joined").profile).toMatchObject({ name: "guest", terminalId: "t" });
  });

  test("is silent only beyond the limit, and only before an end", () => {
    const seen = (ms: number): WorkerRecord => ({ ...known, lastSeen: START - ms });
    expect(take(seen(LIMITS.staleMs), "peer.stale").isSilent).toBe(false);
    expect(take(seen(LIMITS.staleMs + 1), "peer.stale").isSilent).toBe(true);
    expect(take({ ...known, lastSeen: null }, "peer.stale").isSilent).toBe(true);
    expect(take({ ...seen(LIMITS.staleMs + 1), ending: AWAY }, "peer.stale").isSilent).toBe(false);
  });
});

test("what a life could not report counts when its process has ended", () => {
  const worker: WorkerRecord = { ...known, tokens: { before: 1, current: 2 }, costUsd: { before: 0, current: 0.5 } };
  const unreported = { tokens: 10, cost_usd: 0.25, unknown_calls: 1 };
  expect(take(worker, "worker.terminated", { exit_code: 1, unreported })).toMatchObject({
    tokens: { before: 11, current: 2 },
    costUsd: { before: 0.25, current: 0.5, guessed: true },
    unknownCalls: { before: 1, current: 0 },
  });
  const later = { ...worker, profile: { ...worker.profile, pid: 41 } };
  expect(take(later, "worker.terminated", { pid: 40, unreported })).toEqual(later);
});

describe("questions", () => {
  const question: OpenQuestion = { ...cause("Which?", "self"), requestId: "r1", approvalId: "a1" };
  const other: OpenQuestion = { ...question, requestId: "r2", approvalId: null };
  const asking: WorkerRecord = { ...known, questions: [question, other], isHung: true, blocked: cause("b") };
  const freed = { questions: [other], freeSince: START, isHung: false };

  test("that the server opens keep the worker's words, and have its own where there are none", () => {
    const opened = { approvalId: "a9", requestId: "r2", message: "else" };
    expect(take(asking, "approval.opened", opened).questions).toEqual([question, { ...other, approvalId: "a9" }]);
    expect(take(known, "approval.opened", { approvalId: "a9", sequence: 3 }).questions).toEqual([
      { ...cause("it asks for something"), requestId: "seq:3", approvalId: "a9" },
    ]);
  });

  test.each(["approval.answered", "approval.expired"])("%s closes the one it names", (topic) => {
    expect(take(asking, topic, { approvalId: "a1" })).toEqual({ ...asking, ...freed });
    for (const approvalId of ["a2", null]) expect(take(asking, topic, { approvalId })).toEqual(asking);
  });

  test("are answered by a command that names them, and unblock ends a block besides", () => {
    const answer = (topic: string, id: string) => takeAnswer(asking, fact(topic, { correlation_id: id }));
    expect(answer("cmd.p_1.approve", "r1")).toEqual({ ...asking, ...freed });
    expect(answer("cmd.p_1.approve", "r9")).toEqual(asking);
    expect(answer("cmd.p_1.unblock", "r1")).toEqual({ ...asking, ...freed, blocked: null });
  });
});

test("a command that was applied pauses one that says nothing of its turns", () => {
  const apply = (worker: WorkerRecord, cmdTopic?: string) => take(worker, "command.applied", { cmdTopic });
  const held = { ...known, isHung: true };
  const paused = { ...held, paused: cause("it was told to pause") };
  expect(apply(held, "cmd.p_1.pause")).toEqual(paused);
  expect(apply(paused, "cmd.p_1.resume")).toEqual({ ...held, paused: null, freeSince: START, isHung: false });
  expect([apply(paused, "cmd.p_1.abort"), apply(paused)]).toEqual([paused, paused]);
  const signalling = { ...paused, isSignalling: true };
  expect(apply(signalling, "cmd.p_1.resume")).toEqual(signalling);
});

test("doubts are lines, twenty at most, and a result that was judged stays judged", () => {
  const doubts = Array.from({ length: 21 }, (_, number) => `d${number}`);
  expect(take(known, "worker.completed", { doubts })).toEqual({
    ...known,
    completion: "reported",
    doubts: doubts.slice(0, 20),
  });
  expect(take({ ...known, completion: "verified", doubts }, "worker.completed", { doubts: "x" })).toEqual({
    ...known,
    completion: "verified",
    doubts: [],
  });
});

test("a topic that nobody knows changes nothing", () => {
  expect(take(known, "nonsense")).toBe(known);
});

describe("a state that was told", () => {
  const at = (ms: number): string => new Date(ms).toISOString();
  const tell = (worker: WorkerRecord, data: Record<string, unknown>) => take(worker, "worker.state", data);
  const told = (state: string, reason = "") => ({ told: { state, reason, until: null, at: START } });

  test("is believed with all it says", () => {
    const data = { state: "hung", reason: "why", source: "clock", as_of: at(START), until: at(START + 9), evidence: 3 };
    expect(tell({ ...known, phase: "PLAN" }, data)).toEqual({
      ...known,
      phase: "PLAN",
      isHung: true,
      told: { state: "hung", reason: "why", until: START + 9, at: START },
      verdict: {
        state: "hung",
        phase: "PLAN",
        reason: "why",
        source: "clock",
        asOf: START,
        until: START + 9,
        evidence: 3,
      },
    });
  });

  test("is remembered but not believed when it is older than what is known, or the worker has ended", () => {
    const { asOf } = known.verdict;
    expect(tell(known, { state: "stale", as_of: at(asOf - 1) })).toEqual({ ...known, ...told("stale") });
    expect(tell(known, { state: "stale", as_of: at(asOf) })).toMatchObject({ isSilent: true });
    const ended = { ...known, ending: FINISHED };
    expect(tell(ended, { state: "stale" })).toEqual({ ...ended, ...told("stale") });
    expect(tell(known, { state: "nonsense" })).toEqual(known);
  });

  test.each([
    ["stale", true, true],
    ["hung", false, true],
    ["blocked", false, true],
    ["needs_input", true, true],
    ["working", false, false],
    ["starting", false, false],
  ])("%s says of a silent and hung worker: silent %s, hung %s", (state, isSilent, isHung) => {
    expect(tell({ ...known, isSilent: true, isHung: true }, { state })).toMatchObject({ isSilent, isHung });
    const quiet = { isSilent: state === "stale", isHung: state === "hung" };
    expect(tell(known, { state })).toMatchObject(quiet);
  });

  test("comes from the server, since now, unless it says otherwise", () => {
    expect(tell(known, { state: "working" }).verdict).toMatchObject({ source: "server", asOf: START, evidence: null });
  });
});

describe("the worktree of a worker that has ended", () => {
  const changes = { files: 1, insertions: 2, deletions: 0, commits: 1, uncommitted: 0 };
  const placed = { ...known, profile: { ...known.profile, worktree: { path: "/t" } } };

  test("is described when it stays, and known no longer when it was removed", () => {
    const kept = take(placed, "worker.kept", { changes });
    expect(kept).toEqual({ ...placed, changes });
    expect(take(kept, "worker.cleared")).toEqual({ ...known, changes: null });
  });

  test("is not described any more in the worker's next life", () => {
    expect(take({ ...placed, changes }, "worker.spawned", { worktree: { path: "/u" } })).toMatchObject({
      changes: null,
      profile: { worktree: { path: "/u" } },
    });
  });
});
