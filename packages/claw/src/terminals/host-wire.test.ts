import { ClawError } from "@claw/contract";
import { expect, test } from "vitest";
import { errorOf, parseRequest, refusalOf } from "./host-wire.ts";

test.each([
  ['{"n":1,"op":"list","x":2}', { n: 1, op: "list", x: 2 }],
  ['{"n":"1","op":"list"}', undefined],
  ['{"n":1,"op":2}', undefined],
  ['{"n":1}', undefined],
  ["null", undefined],
  ["[]", undefined],
  ["{", undefined],
])("the line %s is %j", (line, request) => expect(parseRequest(Buffer.from(line))).toEqual(request));

test("a failure crosses the wire with its code; one that is not of the catalogue is the host's", () => {
  const busy = new ClawError("TERMINAL_BUSY", "it does not read", { operation: "write", target: "1" });
  const reply = refusalOf(3, busy);
  expect(reply).toEqual({ n: 3, ok: false, code: "TERMINAL_BUSY", message: "it does not read", target: "1" });
  const other = refusalOf(4, new Error("odd"));
  expect(other).toEqual({ n: 4, ok: false, code: "TERMINAL_HOST_FAILED", message: "Error: odd", target: "" });
  const failed = { ...reply, ok: false, target: "1", message: "m" } as const;
  expect(errorOf({ ...failed, code: "TERMINAL_BUSY" }, "type")).toMatchObject({
    code: "TERMINAL_BUSY",
    operation: "type",
    target: "1",
  });
  expect(errorOf({ ...failed, code: "OF_A_NEWER_HOST" as "TERMINAL_BUSY" }, "type").code).toBe("TERMINAL_HOST_FAILED");
});
