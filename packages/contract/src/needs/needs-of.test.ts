import { expect, test } from "vitest";
import type { ReplyFields } from "../wire/wire-types.ts";
import { needsOf } from "./needs-of.ts";

type Moment = NonNullable<ReplyFields<"moment.show">["moment"]>;

const at = (minute: number): string => `2026-01-01T00:${String(minute).padStart(2, "0")}:00.000Z`;

const worker = (name: string, more: Partial<Moment["workers"][number]> = {}) =>
  ({
    peer_id: `p_${name}`,
    name,
    state: "working",
    reason: "",
    as_of: at(1),
    until: null,
    ...more,
  }) as Moment["workers"][number];
const approval = (name: string, deadline: string, status = "open") =>
  ({
    approvalId: `a_${name}`,
    peerId: `p_${name}`,
    worker: name,
    message: "may I?",
    ts: at(1),
    deadline,
    status,
  }) as Moment["approvals"][number];
const report = (name: string, more: Partial<Moment["reports"][number]>) =>
  ({
    peerId: `p_${name}`,
    name,
    sequence: 1,
    completion: "reported",
    result: "ok",
    summary: "done",
    doubts: [],
    checks: null,
    judged: null,
    ...more,
  }) as Moment["reports"][number];

const NOTHING = { ts: at(30), workers: [], approvals: [], reports: [], alerts: [], budgets: [] };
const told = (moment: Partial<Moment>): string[] =>
  needsOf({ ...NOTHING, ...moment }).map(({ kind, name, text }) => `${kind} ${name}: ${text}`);

test("approvals come first, the nearest deadline before the others; closed ones need nothing", () => {
  const approvals = [approval("late", at(50)), approval("soon", at(40)), approval("over", at(35), "expired")];
  expect(told({ approvals })).toEqual(["approval soon: may I?", "approval late: may I?"]);
});

test("a worker that asks is listed once, with its approval if it has one", () => {
  const workers = ["asks", "types"].map((name) => worker(name, { state: "needs_input", reason: "which?" }));
  expect(told({ workers, approvals: [approval("asks", at(40))] })).toEqual([
    "approval asks: may I?",
    "question types: which?",
  ]);
});

test("troubles, failed checks, budgets and reports follow, and what is judged or well is left out", () => {
  const check = {
    command: "npm test",
    passed: false,
    exit_code: 1,
    duration_ms: 1,
    output_tail: "",
    output_path: null,
  };
  const moment: Partial<Moment> = {
    workers: [worker("lost", { state: "stale", reason: "nothing is heard of it" }), worker("well")],
    alerts: [
      { peerId: "p_lost", name: "lost", trouble: "stale", sequence: 1, action: "restart", due: at(31), broken: false },
    ],
    reports: [
      report("new", { doubts: ["no_work"] }),
      report("red", {
        completion: "failed_checks",
        checks: [check, { ...check, command: "npm run lint", passed: true }],
      }),
      report("old", { completion: "accepted" }),
      report("bad", { result: "failed" }),
    ],
    budgets: [
      { scope: "fleet", id: "docs", limit: { usd: 1 }, spent: { usd: 1, tokens: 0 }, exceeded: ["usd"] },
      { scope: "run", id: "p_well#2", limit: { usd: 1 }, spent: { usd: 1, tokens: 0 }, exceeded: ["usd"] },
      { scope: "day", id: "2026-01-01", limit: { usd: 1 }, spent: { usd: 0, tokens: 0 }, exceeded: [] },
    ],
  };
  expect(told(moment)).toEqual([
    "alert lost: nothing is heard of it; it is started again",
    "failed_checks red: npm test",
    "budget docs: the budget is reached: usd",
    "budget well: the budget is reached: usd",
    "report new: done (doubtful: no_work)",
  ]);
});

test("a spent budget waits since it was reached; without that time, since the moment that is shown", () => {
  const budget = { scope: "fleet", limit: { usd: 1 }, spent: { usd: 1, tokens: 0 }, exceeded: ["usd"] } as const;
  const budgets = [
    { ...budget, id: "docs", exceeded: ["usd" as const], since: at(3) },
    { ...budget, id: "old", exceeded: ["usd" as const] },
  ];
  expect(needsOf({ ...NOTHING, budgets }).map(({ name, since }) => [name, since])).toEqual([
    ["docs", at(3)],
    ["old", NOTHING.ts],
  ]);
});
