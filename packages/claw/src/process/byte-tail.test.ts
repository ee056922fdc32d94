import { expect, test } from "vitest";
import { createByteTail } from "./byte-tail.ts";

const bytes = (text: string): Uint8Array => Buffer.from(text);

test("what fits is kept whole", () => {
  const tail = createByteTail(10);
  tail.push(bytes("ab"));
  tail.push(bytes("cdé"));
  expect([tail.text(), tail.text()]).toEqual(["abcdé", "abcdé"]);
});

test("of what does not fit the end is kept, and the cut is marked", () => {
  const tail = createByteTail(4);
  for (const letter of "abcdefghijkl") tail.push(bytes(letter));
  expect(tail.text()).toBe("…ijkl");
  tail.push(bytes("m".repeat(100)));
  expect(tail.text()).toBe("…mmmm");
});

test("a letter that was cut is left out", () => {
  const tail = createByteTail(3);
  tail.push(bytes("aéé"));
  expect(tail.text()).toBe("…é");
});

test("nothing is nothing", () => {
  expect(createByteTail(4).text()).toBe("");
});
