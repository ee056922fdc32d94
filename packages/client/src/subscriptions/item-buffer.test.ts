import { expect, test } from "vitest";
import { ItemBuffer } from "./item-buffer.ts";

const create = () => {
  const given: string[] = [];
  const buffer = new ItemBuffer<string>({ items: 4, size: 100 }, (item) => void given.push(item));
  return { buffer, given };
};
const DONE = { done: true, value: undefined };

test("gives items in order, to whoever waits first", async () => {
  const { buffer, given } = create();
  const waiting = [buffer.next(), buffer.next()];
  for (const item of ["a", "b", "c"]) buffer.push(item, 1);
  const values = (await Promise.all([...waiting, buffer.next()])).map(({ value }) => value);
  expect([values, given]).toEqual([
    ["a", "b", "c"],
    ["a", "b", "c"],
  ]);
});

test("is full by number or by size, and low only when little of both is left", async () => {
  const { buffer } = create();
  buffer.push("large", 100);
  expect([buffer.full(), buffer.low()]).toEqual([true, false]);
  await buffer.next();
  expect([buffer.full(), buffer.low()]).toEqual([false, true]);
  for (const item of ["a", "b", "c", "d"]) buffer.push(item, 1);
  expect([buffer.full(), buffer.low()]).toEqual([true, false]);
});

test("what nobody took can be taken back, and makes room", async () => {
  const { buffer } = create();
  for (const item of ["a", "b", "c", "d"]) buffer.push(item, 25);
  expect(buffer.full()).toBe(true);
  buffer.drop((item) => item > "b");
  expect(buffer.full()).toBe(false);
  buffer.push("e", 1);
  expect([await buffer.next(), await buffer.next(), await buffer.next()].map(({ value }) => value)).toEqual([
    "a",
    "b",
    "e",
  ]);
});

test("ends at once for everybody, and drops what nobody took", async () => {
  const { buffer } = create();
  const waiting = [buffer.next(), buffer.next()];
  buffer.end();
  buffer.push("late", 1);
  expect(await Promise.all([...waiting, buffer.next()])).toEqual([DONE, DONE, DONE]);
});

test("gives what waits before an error, and the error once", async () => {
  const { buffer } = create();
  buffer.push("a", 1);
  buffer.end(new Error("gone"));
  expect(await buffer.next()).toEqual({ done: false, value: "a" });
  await expect(buffer.next()).rejects.toThrow("gone");
  expect(await buffer.next()).toEqual(DONE);
});
