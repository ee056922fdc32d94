import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isLineReply, isLineRequest, members, readFrameLine, errorOfRefusal, refusalFields } from "./line-frame.ts";
import { ClawError } from "../errors/errors.ts";

test.each([
  ['{"id":1,"cmd":"list","x":2}', true, false],
  ['{"id":"1","cmd":"list"}', false, false],
  ['{"id":1,"cmd":2}', false, false],
  ['{"rid":1,"ok":true}', false, true],
  ['{"rid":1,"ok":1}', false, false],
  ['{"rid":"1","ok":true}', false, false],
  ['{"push":"gap"}', false, false],
])("%s: a request %s, a reply %s", (line, request, reply) => {
  const frame = readFrameLine(line) ?? {};
  expect(frame).toEqual(JSON.parse(line));
  expect([isLineRequest(frame), isLineReply(frame)]).toEqual([request, reply]);
});

test.each(["", "null", "[]", "{", "7", '"text"'])("%s is no frame", (line) => {
  expect(readFrameLine(line)).toBeUndefined();
});

test("no line makes the reader throw", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.json()), (line) => {
      expect(() => readFrameLine(line)).not.toThrow();
    }),
  );
});

test("members are an object's inside, without what is undefined", () => {
  expect(members({ cmd: "hello", bearer: undefined, n: 1 })).toBe('"cmd":"hello","n":1');
});

test("an error crosses the wire with its code; an error outside the catalogue gets the given code", () => {
  const busy = new ClawError("TERMINAL_BUSY", "it does not read", { operation: "write", target: "1" });
  const refusal = refusalFields(busy, "TERMINAL_HOST_FAILED");
  expect(refusal).toEqual({ code: "TERMINAL_BUSY", message: "it does not read", target: "1" });
  expect(errorOfRefusal(refusal, "type", "TERMINAL_HOST_FAILED")).toMatchObject({
    code: "TERMINAL_BUSY",
    message: "it does not read",
    operation: "type",
    target: "1",
  });
  const odd = refusalFields(new Error("odd"), "TERMINAL_HOST_FAILED");
  expect(odd).toEqual({ code: "TERMINAL_HOST_FAILED", message: "Error: odd", target: "" });
  const newer = { code: "OF_A_NEWER_HOST", message: 3 };
  expect(errorOfRefusal(newer, "type", "TERMINAL_HOST_FAILED")).toMatchObject({
    code: "TERMINAL_HOST_FAILED",
    message: "",
    target: "",
  });
});
