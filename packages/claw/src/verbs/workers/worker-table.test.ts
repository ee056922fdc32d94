import type { VerbOutput, WorkerState } from "claw-contract";
import { newWorker, workerViewOf } from "claw-contract";
import { expect, test } from "vitest";
import { textWidth } from "../text/text-width.ts";
import { fitTable, workerTable } from "./worker-table.ts";

type Worker = VerbOutput<"ps">["workers"][number];

const NOW = Date.parse("2026-01-01T12:00:00.000Z");

function worker(name: string, state: WorkerState, more: Partial<Worker> = {}): Worker {
  const view = workerViewOf(newWorker(`p_${name}`, NOW - 90_000));
  return { ...view, doubts: [], approvals: [], name, state, reason: `it is ${state}`, ...more };
}

type Reached = VerbOutput<"ps">["budgets_reached"];

const outputOf = (workers: Worker[], hidden = 0, reached: Reached = []): VerbOutput<"ps"> => ({
  workers_count: workers.length,
  waiting_count: 0,
  hidden_count: hidden,
  workers,
  budgets_reached: reached,
});

const linesOf = (workers: Worker[], columns = 80, hidden = 0): string[] =>
  workerTable(outputOf(workers, hidden), columns, NOW).map((row) =>
    row
      .map(({ text }) => text)
      .join("")
      .trimEnd(),
  );

test("says of each what it does, since when and for how much, and counts them", () => {
  const lines = linesOf([
    worker("audit", "working", { phase: "OBSERVE", current_action: "Bash: npm test", cost_usd: 1.5 }),
    worker("done", "finished", { completion: "failed_checks", doubts: ["no_work"], as_of: "2026-01-01T10:00:00.000Z" }),
  ]);
  expect(lines).toEqual([
    "  NAME   STATE     PHASE    FOR  COST   DOING",
    "  audit  working   OBSERVE  1m   $1.50  Bash: npm test",
    "  done   finished           2h          failed checks: it is finished (doubtful…",
    "",
    "2 workers: 1 working, 1 finished",
  ]);
});

test("says what agents report that they may do, while they can do something", () => {
  const lines = linesOf([
    worker("audit", "working", { permission_mode: "acceptEdits", current_action: "Bash: npm test" }),
    worker("other", "working", { current_action: "Read" }),
    worker("done", "finished", { permission_mode: "default", ended: true }),
  ]);
  expect(lines.slice(0, 4)).toEqual([
    "  NAME   STATE     MAY          PHASE  FOR  COST  DOING",
    "  audit  working   acceptEdits         1m         Bash: npm test",
    "  other  working                       1m         Read",
    "  done   finished                      1m         it is finished",
  ]);
});

const LEFT = { files: 2, insertions: 120, deletions: 3, commits: 1, uncommitted: 0 };

test("shows below a worker that has ended what it left, cut to the terminal, and nothing else", () => {
  const left = { ended: true, worktree: { branch: "claw/fixer" }, changes: LEFT };
  const nothing = { ...left, changes: { ...LEFT, files: 0, insertions: 0, deletions: 0, commits: 0 } };
  const long = { ...left, worktree: { branch: `claw/${"x".repeat(80)}` } };
  const lines = linesOf([
    worker("fixer", "finished", left),
    worker("idle", "finished", nothing),
    worker("busy", "working", { ...left, ended: false }),
    worker("long", "failed", long),
  ]);
  expect(lines.filter((line) => line.includes("changed"))).toEqual([
    "    changed 2 files (+120 -3), 1 commit on claw/fixer",
    expect.stringMatching(/^ {4}changed 2 files \(\+120 -3\), 1 commit on claw\/x+…$/) as string,
  ]);
  expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(80);
  expect(lines[2]).toContain("changed 2 files");
});

test("counts workers, not rows, where there is no room for all", () => {
  const output = outputOf(
    ["a", "b", "c"].map((name) =>
      worker(name, "finished", { ended: true, worktree: { branch: `claw/${name}` }, changes: LEFT }),
    ),
  );
  const rows = fitTable(workerTable(output, 80, NOW), output, 5).map((row) => row.map(({ text }) => text).join(""));
  expect(rows.slice(-2)).toEqual(["… 2 more", "3 workers: 3 finished"]);
});

test("marks what is only estimated, and says which limits were reached", () => {
  const workers = [worker("audit", "working", { cost_usd: 0.012, cost_estimated: true })];
  const reached: Reached = [
    { scope: "fleet", id: "docs", unit: "usd", spent: 1.05, limit: 1 },
    { scope: "run", id: "p_audit#2", unit: "tokens", spent: 1200, limit: 1000 },
  ];
  const rows = workerTable(outputOf(workers, 0, reached), 80, NOW).map((row) => row.map(({ text }) => text).join(""));
  expect(rows[1]).toContain("  ~$0.0120  ");
  expect(rows.slice(-2)).toEqual([
    "the budget of the fleet docs is reached: $1.05 of $1.00",
    "the budget of this start of audit is reached: 1200 tokens of 1000 tokens",
  ]);
});

test("children stand below their parents, and whoever needs somebody comes first with its own", () => {
  const lines = linesOf([
    worker("calm", "working"),
    worker("lead", "working"),
    worker("sub", "working", { parent_id: "p_lead" }),
    worker("subsub", "needs_input", { parent_id: "p_sub", approvals: ["a_1"] }),
    worker("orphan", "paused", { parent_id: "p_nobody" }),
  ]);
  expect(lines.slice(1, 6).map((line) => line.slice(0, 12))).toEqual([
    "  lead      ",
    "  └ sub     ",
    "!   └ subsub",
    "  calm      ",
    "  orphan    ",
  ]);
  expect(lines.at(-1)).toBe("1 waits for you: claw approve a_1");
});

test("a screen that is too small shows what stands below, and how many it leaves out", () => {
  const output = outputOf(Array.from({ length: 30 }, (_, index) => worker(`w${index}`, "needs_input")));
  const rows = fitTable(workerTable(output, 80, NOW), output, 10).map((row) => row.map(({ text }) => text).join(""));
  expect(rows).toHaveLength(10);
  expect(rows.slice(-4)).toEqual([
    expect.stringMatching(/^! w5 /),
    "… 24 more",
    "30 workers: 30 waiting for input",
    "30 wait for you: claw send w0 TEXT",
  ]);
  const few = outputOf([worker("a", "working")]);
  const table = workerTable(few, 80, NOW);
  expect(fitTable(table, few, 10)).toBe(table);
});

test("what a terminal would act on in a name takes no more room than is measured", () => {
  const [, bad, good] = linesOf([worker("a\u001B[31m\r\n\u202Eb", "working"), worker("c", "working")]);
  expect(bad).toMatch(/^ {2}a\\u001b\[31m\\u000d \\… {2}working/);
  expect(bad?.indexOf("working")).toBe(good?.indexOf("working"));
});

test("workers of the same name are told apart by their ids, which are never cut", () => {
  const long = "a-name-that-is-far-too-long";
  const lines = linesOf([
    worker("docs", "failed", { peer_id: "p_000002" }),
    worker("docs", "working", { peer_id: "p_00000a" }),
    worker("other", "working"),
    worker(long, "working", { peer_id: "p_000011" }),
    worker(long, "working", { peer_id: "p_000012" }),
  ]);
  expect(lines.slice(1, 6).map((line) => line.slice(0, 24).trimEnd())).toEqual([
    "  docs p_000002",
    "  docs p_00000a",
    "  other",
    "  a-name-tha… p_000011",
    "  a-name-tha… p_000012",
  ]);
});

test("whoever is its own ancestor is shown once", () => {
  const circle = [worker("a", "working", { parent_id: "p_b" }), worker("b", "working", { parent_id: "p_a" })];
  expect(linesOf(circle).filter((line) => line.includes("working  "))).toHaveLength(2);
});

test.each([
  [[], "claw send 'my worker' TEXT", null],
  [[], "claw attach 'my worker'", "5"],
  [["a_1", "a_2"], "claw approvals", null],
])("names the command that answers: %o", (approvals, command, terminal_id) => {
  const lines = linesOf([worker("my worker", "needs_input", { approvals, terminal_id })]);
  expect(lines.at(-1)).toBe(`1 waits for you: ${command}`);
});

test("fits into the terminal, whatever the names and reasons are", () => {
  const reason = "語".repeat(100);
  const workers = [
    worker("n".repeat(100), "rate_limited", { reason, until: "2026-01-01T13:00:00.000Z", phase: "RECOVER" }),
    worker("語".repeat(50), "needs_input", { reason, parent_id: `p_${"n".repeat(100)}` }),
  ];
  for (const columns of [80, 100, 200]) {
    for (const line of linesOf(workers, columns).slice(0, 3)) expect(textWidth(line)).toBeLessThanOrEqual(columns);
  }
});

test("says that nobody is there, and of how many more there are", () => {
  expect(linesOf([])).toEqual(["No workers."]);
  expect(linesOf([], 80, 2)).toEqual(["No workers. 2 ended ones more with --all."]);
  expect(linesOf([worker("a", "working")], 80, 1).at(-1)).toBe("1 worker: 1 working; 1 ended one more with --all");
});

test("names the machines once a worker runs on another one than this", () => {
  const here = [worker("audit", "working", { machine: "one" })];
  const both = [...here, worker("other", "working", { machine: "two" })];
  const textOf = (workers: Worker[]): string[] =>
    workerTable({ ...outputOf(workers), machine: "one" }, 80, NOW).map((row) => row.map(({ text }) => text).join(""));
  expect(textOf(here)[0]).not.toContain("MACHINE");
  expect(textOf(both).slice(0, 3)).toEqual([
    expect.stringMatching(/^ {2}NAME +STATE +MACHINE +PHASE/),
    expect.stringMatching(/^ {2}audit +working +one /),
    expect.stringMatching(/^ {2}other +working +two /),
  ]);
  expect(linesOf(both)[0]).not.toContain("MACHINE");
});
