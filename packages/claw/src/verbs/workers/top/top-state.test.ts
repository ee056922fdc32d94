import type { WorkerView } from "claw-contract";
import { expect, test } from "vitest";
import type { TopMoment } from "./top-list.ts";
import { NEW_STATE, selectedItem, withMoment } from "./top-state.ts";
import type { TopState } from "./top-state.ts";

const TS = "2026-03-04T14:00:00.000Z";

const worker = (id: string, more: Partial<WorkerView> = {}): WorkerView =>
  ({ peer_id: id, name: id, state: "working", as_of: TS, ended: false, parent_id: null, ...more }) as WorkerView;

const asking = (id: string): WorkerView => worker(id, { state: "needs_input", reason: "Which colour?" });

const momentOf = (...workers: readonly WorkerView[]): TopMoment => ({
  ts: TS,
  cursor: "0001:1",
  oldest: "0001:0",
  head: "0001:1",
  workers: [...workers],
  hidden: 0,
  approvals: [],
  budgets: [],
  reports: [],
  alerts: [],
});

const selectedAfter = (state: TopState): string | undefined => {
  const item = selectedItem(state);
  return item === undefined ? undefined : `${item.kind} ${item.kind === "need" ? item.need.name : item.key}`;
};

/** The moments one after another, with a selection made in the first. */
function after(selected: string | null, ...moments: readonly TopMoment[]): string | undefined {
  const [first, ...rest] = moments;
  if (first === undefined) return undefined;
  const start = { ...withMoment(NEW_STATE, first), ...(selected === null ? {} : { selected }) };
  return selectedAfter(rest.reduce(withMoment, start));
}

test("the first thing is selected, and stays so when something more urgent comes", () => {
  expect(after(null, momentOf(worker("a"), worker("b")))).toBe("worker a");
  expect(after(null, momentOf(worker("a"), worker("b")), momentOf(worker("a"), asking("b")))).toBe("worker a");
});

test("when a need is gone, its worker is selected, and no other need", () => {
  const [both, one] = [momentOf(asking("a"), asking("b")), momentOf(asking("a"), worker("b"))];
  expect(after("question b", both, one)).toBe("worker b");
});

test("when a worker is gone too, the row at the same place is selected", () => {
  const three = momentOf(worker("a"), worker("b"), worker("c"));
  expect(after("b", three, momentOf(worker("a"), worker("c")))).toBe("worker c");
  expect(after("c", three, momentOf(worker("a")))).toBe("worker a");
  expect(after("a", three, momentOf())).toBeUndefined();
});

test("a worker that ended a while ago is not listed, but may need a person", () => {
  const ended = worker("a", { ended: true, state: "finished", as_of: "2026-03-04T13:00:00.000Z" });
  expect(after(null, momentOf(ended, worker("b")))).toBe("worker b");
  const report = { peerId: "a", name: "a", sequence: 1, completion: "reported", result: "ok", summary: "done" };
  const reports = [{ ...report, doubts: [], checks: null, judged: null }] as unknown as TopMoment["reports"];
  expect(after(null, { ...momentOf(ended, worker("b")), reports })).toBe("need a");
});
