import { expect, test } from "vitest";
import { item } from "../testing/event-item.ts";
import { takeLadder } from "./ladders.ts";
import type { Ladders } from "./ladders.ts";

const step = (name: string, more: object = {}) =>
  item(`system.command.${name}`, {
    commandId: "c1",
    targetPeerId: "p_1",
    cmdTopic: "cmd.p_1.approve",
    sequence: 4,
    ...more,
  });

const envelope = { v: 1, id: "c1", from_peer: "p", from_name: "n", ts_published: "", data: {} };
const command = item("cmd.p_1.approve", { approval_id: "ap_1" }, { envelope, sequence: 4 });

const after = (...items: readonly Parameters<typeof takeLadder>[1][]): Ladders => items.reduce(takeLadder, new Map());

test("a command and its steps make one ladder, in whatever order they come", () => {
  const expected = { target: "p_1", action: "approve", sequence: 4, approvalId: "ap_1", route: "bus", reason: null };
  const steps = [step("accepted"), step("queued", { route: "bus" }), step("queued"), step("applied")];
  expect(after(command, ...steps).get("c1")).toMatchObject({ ...expected, steps: ["accepted", "queued", "applied"] });
  expect(after(...steps, command).get("c1")).toMatchObject(expected);
});

test("a refusal keeps its reason", () => {
  expect(after(step("accepted"), step("refused", { reason: "has ended" })).get("c1")).toMatchObject({
    steps: ["accepted", "refused"],
    reason: "has ended",
  });
});

test("what is no step of the server changes nothing", () => {
  const known: Ladders = after(command);
  for (const other of [
    item("worker.p_1.boot", {}),
    step("held"),
    { ...step("acked"), from: "p_9" },
    item("cmd.role.worker", {}),
  ]) {
    expect(takeLadder(known, other)).toBe(known);
  }
});
