import { expect, test } from "vitest";
import { HOST_OPERATIONS } from "./host-operations.ts";
import { isHostOperation, isHostPush, isHostReply, readHostRequest } from "./host-table.ts";

const AT = { number: 1, at: "2026-01-01T00:00:00.000Z" };

test("every operation is known by its name, and nothing else", () => {
  expect(Object.keys(HOST_OPERATIONS).filter((name) => !isHostOperation(name))).toEqual([]);
  expect(["dance", "cancel", "toString"].filter(isHostOperation)).toEqual([]);
});

test("a request is read with its presets; the first field that does not fit is named", () => {
  expect(readHostRequest("type", { terminalId: "1", text: "ls" })).toEqual({
    kind: "read",
    fields: { terminalId: "1", text: "ls", paste: false, enter: false },
  });
  expect(readHostRequest("type", { terminalId: 1 })).toMatchObject({ field: "terminalId", problem: "invalid" });
  expect(readHostRequest("wait", { terminalId: "1" })).toMatchObject({ field: "from", problem: "missing" });
  const terminal = { terminalId: "1", name: "one" };
  expect(readHostRequest("create", { terminal })).toMatchObject({ field: "terminal", problem: "invalid" });
  expect(readHostRequest("create", { terminal: { ...terminal, env: { A: "b" } } })).toMatchObject({ kind: "read" });
});

test("a reply has what the contract promises", () => {
  expect(isHostReply("offset", { rid: 1, ok: true, offset: 7 })).toBe(true);
  expect(isHostReply("offset", { rid: 1, ok: true, offset: "7" })).toBe(false);
  expect(isHostReply("list", { rid: 1, ok: true, terminals: [{ id: "1" }] })).toBe(false);
});

test.each([
  [{ push: "output", terminalId: "1", offset: 0, data: "" }, true],
  [{ push: "ended", terminalId: "1", exitCode: null, signal: 9 }, true],
  [{ push: "fact", fact: { ...AT, terminalId: "1", kind: "ready" } }, true],
  [{ push: "fact", fact: { ...AT, terminalId: "1", kind: "news" } }, false],
  [{ push: "output", terminalId: "1", data: "" }, false],
  [{ push: "news" }, false],
])("%j: a push of the host %s", (frame, isPush) => {
  expect(isHostPush(frame)).toBe(isPush);
});
