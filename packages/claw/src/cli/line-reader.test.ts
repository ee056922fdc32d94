import { getEventListeners } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createLineReader } from "./line-reader.ts";

const patient = new AbortController().signal;

test("each call gets a line, and null once there are no more", async () => {
  const input = new PassThrough();
  const readLine = createLineReader(() => input);
  input.end("first\nsecond\n");
  const lines = [await readLine(patient), await readLine(patient), await readLine(patient), await readLine(patient)];
  expect(lines).toEqual(["first", "second", null, null]);
});

/** A reader whose only call was given up. */
async function givenUp() {
  const input = new PassThrough();
  const readLine = createLineReader(() => input);
  const caller = new AbortController();
  const given = readLine(caller.signal);
  caller.abort(new Error("taken back"));
  await expect(given).rejects.toThrow("taken back");
  return { input, readLine };
}

test("a call that is given up takes no line from the next one", async () => {
  const { input, readLine } = await givenUp();
  const next = readLine(patient);
  input.write("mine\n");
  expect(await next).toBe("mine");
});

test("what is typed when nobody asks any more answers nothing", async () => {
  const { input, readLine } = await givenUp();
  input.write("yes\n");
  await new Promise(setImmediate);
  const next = readLine(patient);
  input.write("no\n");
  expect(await next).toBe("no");
});

test("a call that has got its line leaves nothing behind at the signal of its caller", async () => {
  const input = new PassThrough();
  const readLine = createLineReader(() => input);
  const { signal } = new AbortController();
  input.end("first\nsecond\n");
  await readLine(signal);
  await readLine(signal);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
