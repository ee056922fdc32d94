import type { BusEvent } from "claw-contract/schemas";
import { expect, test } from "vitest";
import { isLogEntry } from "./log-entry.ts";

const DATA = { kind: "LOG", severity: "info", message: "the tests passed" };
const EVENT = { topic: "worker.p_1.event", schema: "worker-event-v1", data: DATA, envelope: null };

test.each<[string, object, boolean]>([
  ["a worker's log entry", {}, true],
  ["one in an envelope", { envelope: { data: DATA, correlation_id: null } }, true],
  ["progress, which ends a blockade", { data: { ...DATA, kind: "PROGRESS" } }, false],
  ["a fatal error, which ends the worker", { data: { ...DATA, severity: "fatal" } }, false],
  ["one with a request id, which may withdraw a question", { data: { ...DATA, request_id: "r1" } }, false],
  ["one that belongs to a command", { data: { ...DATA, correlation_id: "c1" } }, false],
  ["one that names a command in its envelope", { envelope: { data: DATA, correlation_id: "c1" } }, false],
  ["one under another name than the peer's", { topic: "worker.lexer.event" }, false],
  ["an event of another schema", { schema: "worker-phase-v1" }, false],
])("%s", (_what, change, expected) => {
  expect(isLogEntry({ ...EVENT, ...change } as unknown as BusEvent, { id: "p_1" })).toBe(expected);
});
