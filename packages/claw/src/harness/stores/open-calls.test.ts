import { expect, test } from "vitest";
import { createOpenCalls } from "./open-calls.ts";

const call = (name: string) => ({ name, background: false });

test("a call is known until it ends, whatever began or ended meanwhile", () => {
  const calls = createOpenCalls();
  calls.add("a", call("Read"));
  calls.add("b", call("Bash"));
  calls.add("c", call("Edit"));
  calls.end("b");
  expect([calls.get("a"), calls.get("b"), calls.get("c")]).toEqual([call("Read"), undefined, call("Edit")]);
  calls.end("c");
  calls.end("c");
  expect([calls.get("a"), calls.get("c")]).toEqual([call("Read"), undefined]);
});

test("a call that begins again replaces the one with its id, and ends once", () => {
  const calls = createOpenCalls();
  calls.add("a", call("Read"));
  calls.add("b", call("Bash"));
  calls.add("a", call("Edit"));
  expect(calls.get("a")).toEqual(call("Edit"));
  calls.end("a");
  expect(calls.get("a")).toBeUndefined();
  expect(calls.endAll()).toEqual([["b", call("Bash")]]);
});

test("the calls that are open at the end come in the order of their begin, once", () => {
  const calls = createOpenCalls();
  for (const id of ["a", "b", "c"]) calls.add(id, call(id));
  expect(calls.endAll().map(([id]) => id)).toEqual(["a", "b", "c"]);
  expect(calls.endAll()).toEqual([]);
});
