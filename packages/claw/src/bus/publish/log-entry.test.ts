import type { BusEvent } from "claw-contract/schemas";
import { expect, test } from "vitest";
import { isLogEntry, isStoredLogEntry } from "./log-entry.ts";

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

const stored = (fields: object, more: object = {}) => ({
  topic: "worker.p_1.event",
  from: "p_1",
  tsServer: "2026-01-01T00:00:00.000Z",
  sequence: 1,
  payload: JSON.stringify({ v: 1, schema: "worker-event-v1", data: { ...DATA, ...fields }, ...more }),
});

test("a stored log entry is recognised by its text", () => {
  expect(isStoredLogEntry(stored({ message: 'it says "kind":"REQUEST" and "severity":"fatal".' }))).toBe(true);
  expect(isStoredLogEntry(stored({ message: 'it says {"kind":"REQUEST"}' }))).toBe(true);
  expect(isStoredLogEntry(stored({}))).toBe(true);
});

test.each<[string, Parameters<typeof isStoredLogEntry>[0]]>([
  ["progress", stored({ kind: "PROGRESS" })],
  ["a fatal error", stored({ severity: "fatal" })],
  ["one with a request id", stored({ request_id: "r1" })],
  ["one that belongs to a command", stored({}, { correlation_id: "c1" })],
  ["one that holds the fields of a log entry", stored({ kind: "REQUEST", data: { kind: "LOG" } })],
  ["one whose kind is hidden", { ...stored({}), payload: stored({}).payload.replace("kind", String.raw`\u006bind`) }],
  ["one under another name than the peer's", { ...stored({}), from: "p_2" }],
  ["one without an envelope", { ...stored({}), payload: JSON.stringify(DATA) }],
  ["one of another schema", stored({}, { schema: "worker-phase-v1" })],
  ["one without a payload", { ...stored({}), payload: undefined }],
])("%s is not taken for a stored log entry", (_what, event) => {
  expect(isStoredLogEntry(event)).toBe(false);
});
