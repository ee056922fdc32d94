import { expect, test } from "vitest";
import { eventRowOf } from "../../store/event-row.ts";
import { item } from "../../testing/event-item.ts";
import { createFiltered, eventCall, eventsCall, isPattern, NO_FILTER, rowTest } from "./filter-events.ts";

const row = (sequence: number, topic: string, data: object = {}) =>
  eventRowOf(item(topic, data, { sequence, cursor: `0001:${sequence}` }));
const ROWS = [
  row(1, "worker.p_1.phase", { phase: "PLAN" }),
  row(2, "worker.p_2.event", { kind: "REQUEST", message: "May I?", request_id: "r1" }),
  row(3, "cmd.p_2.approve", { correlation_id: "r1" }),
];

test.each([
  [{ topic: "worker.*.phase" }, [1]],
  [{ topic: "worker.**" }, [1, 2]],
  [{ topic: "not a pattern" }, []],
  [{ worker: "p_2" }, [2, 3]],
  [{ kind: "REQUEST" }, [2]],
  [{ text: "MAY" }, [2]],
  [{ text: "approve" }, [3]],
  [{ thread: "r1" }, [2, 3]],
  [{ worker: "p_2", topic: "cmd.**" }, [3]],
])("%j finds %j", (filter, found) => {
  expect(ROWS.filter(rowTest({ ...NO_FILTER, ...filter })).map(({ sequence }) => sequence)).toEqual(found);
});

test("each row is looked at once while rows come, and all again for another filter or older rows", () => {
  const filtered = createFiltered();
  const rows = ROWS.slice(0, 2);
  const first = filtered(rows, NO_FILTER);
  expect(filtered(rows, NO_FILTER)).toBe(first);
  rows.push(row(4, "worker.p_1.phase"));
  expect(filtered(rows, NO_FILTER).map(({ sequence }) => sequence)).toEqual([1, 2, 4]);
  expect(filtered(rows, { ...NO_FILTER, worker: "p_1" }).map(({ sequence }) => sequence)).toEqual([1, 4]);
  rows.unshift(row(0, "worker.p_1.boot"));
  expect(filtered(rows, { ...NO_FILTER, worker: "p_1" }).map(({ sequence }) => sequence)).toEqual([0, 1, 4]);
  expect(filtered([], NO_FILTER)).toEqual([]);
});

test("the call of the command line asks for the same", () => {
  expect(eventsCall({ ...NO_FILTER, topic: "worker.*.phase" }, "0001:4")).toBe(
    "claw events --topic 'worker.*.phase' --since 0001:4",
  );
  const ofJson = "claw events --since 0001:4 --output-format stream-json | grep";
  expect(eventsCall({ ...NO_FILTER, worker: "p_1", text: "it's" }, "0001:4")).toBe(
    String.raw`${ofJson} -E -- '"topic":"(worker|cmd)[.]p_1[.]|"(peerId|targetPeerId)":"p_1"' | grep -iF -- 'it'\''s'`,
  );
  expect(eventsCall({ ...NO_FILTER, kind: "state", thread: "a-b" }, "0001:4")).toBe(
    `${ofJson} -E -- '"topic":"[^"]*[.]state"|"kind":"state"' | grep -F -- a-b`,
  );
  expect(eventsCall({ ...NO_FILTER, worker: "p.*" }, "0001:4")).toBe(`${ofJson} -F -- 'p.*'`);
  expect(eventCall("a.b", "0001:4")).toBe(
    "claw events --topic a.b --since 0001:4 --limit 1 --output-format stream-json",
  );
  expect(["", "a.*", "A b"].map(isPattern)).toEqual([true, true, false]);
});
